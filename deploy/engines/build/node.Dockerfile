# Node.js from Debian packages, for machines that reach no image registry: what the official slim image is used for.
ARG BASE=debian:forky-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends nodejs \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 1000 --user-group --create-home --shell /bin/bash node
COPY npm.tgz /tmp/npm.tgz
RUN mkdir -p /usr/local/lib/node_modules/npm \
 && tar --extract --gzip --strip-components=1 --directory=/usr/local/lib/node_modules/npm --file=/tmp/npm.tgz \
 && rm /tmp/npm.tgz \
 && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
 && chmod 755 /usr/local/lib/node_modules/npm/bin/*.js
# Certificates trusted by the machine that built this image.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
