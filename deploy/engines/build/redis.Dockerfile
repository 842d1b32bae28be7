ARG BASE=debian:forky-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends valkey-server \
 && rm -rf /var/lib/apt/lists/*
# As in the official image: a container's network is closed to the outside unless a port of it is published.
RUN printf '#!/bin/sh\nexec /usr/bin/valkey-server "$@" --protected-mode no\n' > /usr/local/bin/valkey-server \
 && chmod 755 /usr/local/bin/valkey-server
WORKDIR /data
EXPOSE 6379
CMD ["valkey-server"]
