ARG BASE=debian:forky-slim
FROM ${BASE}
COPY minio /usr/local/bin/minio
RUN chmod 755 /usr/local/bin/minio
VOLUME /data
EXPOSE 9000
ENTRYPOINT ["minio"]
