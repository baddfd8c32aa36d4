# The service in an image without a shell, a package manager or root: the pinned runtime, the
# program, and the few libraries both need, taken from Debian's own archive. The first stage runs on
# the machine that builds, also for another architecture; the second only copies.
#
#   docker buildx build --platform linux/amd64,linux/arm64 -t quittance .
#   npm run test:image      builds it, starts it, pays a checkout and weighs it
ARG BUILD_IMAGE=docker.io/library/node:22-bookworm-slim
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
ARG TARGETARCH
WORKDIR /build
COPY packaging/image/system-parts packaging/image/
RUN packaging/image/system-parts "${TARGETARCH:-}" /out
COPY package.json package-lock.json .npmrc ./
COPY packaging/image/program-parts.mjs packaging/image/
RUN node packaging/image/program-parts.mjs install "${TARGETARCH:-}"
COPY migrations migrations
COPY src src
COPY clients/snippets clients/snippets
COPY clients/vectors/methods.json clients/vectors/
COPY LICENSE CHANGELOG.md ./
COPY packaging/image packaging/image
RUN node packaging/image/program-parts.mjs copy /out

FROM scratch
COPY --from=build /out /
# Keys, and whatever else has to outlive the container. Belongs to the user below.
COPY --from=build --chown=65532:65532 /owned/ /
ENV PATH=/usr/local/bin \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["quittance-live"]
ENTRYPOINT ["quittance-serve"]
