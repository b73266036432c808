/**
 * What functions need of the library for tokens. In an image this is a file of its own, which is loaded where
 * `OIDC_ISSUER` is set: import it with import().
 */
export { createLocalJWKSet, jwtVerify, UnsecuredJWT } from 'jose';
