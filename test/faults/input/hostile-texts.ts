/** Texts that break what is careless with text: each may be somebody's idea of a name. */
export const hostileTexts: readonly string[] = [
  ...['"', "'", '\\', '\\"', '`', '\n', '\r\n', '\t', ' ', ' a', 'a ', 'a\n', 'a\u0000b', '\u0000', '\u001b[31mred'],
  ...['{{ .Envs.TOKEN }}', '{{', '}}', '{{- "a" -}}', '$(id)', '`id`', ';reboot', '|cat', '&& id'],
  ...['a"\n[[proxies]]\nname = "b', '"}],"x":[{"y":"', '<script>', '--flag', '../../etc/passwd', '%2e%2e%2f', 'a?b#c'],
  ...[
    '\u2028',
    '\u2029',
    '\u202egnp',
    '\ufeff',
    '\u200b',
    'e\u0301',
    '😀',
    '👩‍👩‍👧',
    '𝕏',
    'ﬀ',
    'İ',
    'ß',
    'пример',
    '\uffff',
  ],
  ...['__proto__', 'constructor', 'null', 'true', 'NaN', '-1', '1e9', '0x7f', 'a'.repeat(5000), '"'.repeat(500)],
];
