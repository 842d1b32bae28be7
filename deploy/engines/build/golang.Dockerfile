# Builds the engines written in Go on machines without Go.
ARG BASE=debian:forky-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends golang-go git \
 && rm -rf /var/lib/apt/lists/*
