# The image of `npm run image` for users of Docker: the same file system, written by the same program, with the same
# settings. Its layers are Docker's own, so its digest is another one.
#
#   docker build --tag knudge:0.1.0 --build-arg REVISION=$(git rev-parse HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) .

# The version of Node.js that is in the image: V8's code cache is made by running it.
FROM node:24.21.0-bookworm AS build
WORKDIR /knudge
COPY package.json package-lock.json .npmrc ./
# What the pages of the console are bundled from.
COPY packages/console/package.json ./packages/console/
RUN npm ci
COPY LICENSE tsconfig.json ./
COPY functions ./functions
COPY packages ./packages
COPY resources ./resources
COPY tools ./tools
ARG SOURCE_DATE_EPOCH=0
ARG REVISION=unknown
RUN npm run --silent image -- --root /image

FROM scratch
COPY --from=build /image/ /
ARG REVISION=unknown
ENV PATH=/usr/local/bin:/usr/bin:/bin
ENV NODE_ENV=production
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
LABEL org.opencontainers.image.title="knudge"
LABEL org.opencontainers.image.description="A Kubernetes controller that sleeps until it is nudged"
LABEL org.opencontainers.image.version="0.1.0"
LABEL org.opencontainers.image.licenses="MIT"
LABEL org.opencontainers.image.revision="$REVISION"
WORKDIR /
USER 65532:65532
EXPOSE 8080/tcp
ENTRYPOINT ["/usr/local/bin/node", "--disable-proto=delete", "/app/function.cjs"]
