/** The version of package.json: what the API server and a person see in a User-Agent. */
export const version = '0.1.0';
