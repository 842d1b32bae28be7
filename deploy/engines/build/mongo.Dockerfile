# MongoDB's wire protocol from Debian packages: FerretDB on PostgreSQL with the DocumentDB extension, for machines that
# reach package registries but no image registry. Compatible with the official image:
# port 27017, data in /data/db, stopped by SIGTERM.
ARG BASE=debian:forky-slim
FROM ${BASE}
RUN mkdir -p /etc/postgresql-common \
 && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
 && apt-get update \
 && apt-get install -y --no-install-recommends postgresql-18-documentdb \
 && rm -rf /var/lib/apt/lists/*
COPY ferretdb /usr/local/bin/ferretdb
COPY mongo-postgresql.conf /usr/local/share/parlance/postgresql.conf
COPY mongo-entrypoint.sh /usr/local/bin/mongo-entrypoint
COPY mongo-order-indexes.sh /usr/local/bin/mongo-order-indexes
# Creates the cluster at build time, so that the first start only unpacks it.
RUN chmod 755 /usr/local/bin/ferretdb /usr/local/bin/mongo-* && mongo-entrypoint make-template
VOLUME /data/db
EXPOSE 27017
STOPSIGNAL SIGTERM
ENTRYPOINT ["mongo-entrypoint"]
