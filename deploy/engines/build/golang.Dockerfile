# Where the machine has no Go of its own, the engines written in it are built in here.
ARG BASE=debian:forky-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends golang-go git \
 && rm -rf /var/lib/apt/lists/*
