import { isIP, isIPv4, isIPv6 } from 'node:net';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const label = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const hostname = new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*\\.?$`);
const dateTime = /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** The texts that a `format` allows; other formats allow any text, as on the API server. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => isDate(dateTime.exec(text)?.[1] ?? ''),
  date: isDate,
  datetime: (text) => isDate(dateTime.exec(text)?.[1] ?? ''),
  duration: (text) =>
    /^[+-]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text) ||
    /^\d+ ?(nano|micro|milli)?(second|minute|hour|day|week)s?$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  ip: (text) => isIP(text) !== 0,
  cidr: isCidr,
  byte: (text) => base64.test(text),
  uri: (text) => /^([a-z][a-z0-9+.-]*:|\/)\S+$/i.test(text),
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hostname: (text) => hostname.test(text),
  mac: (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text),
};

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 && more.length === 0 && /^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
  );
}
