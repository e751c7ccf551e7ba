# docker build -t tgkeep . && docker run -v tgkeep:/var/lib/tgkeep -e TGKEEP_TOKEN=… tgkeep
# Settings: TGKEEP_* variables, or a file mounted as /etc/tgkeep/tgkeep.toml. deploy/compose.yaml is an example.

FROM debian:bookworm-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /source
COPY scripts scripts
# Versions are those of Debian 12's stable release.
# hadolint ignore=DL3008
RUN apt-get update \
 && sed -n 's/^core \(.*-dev\)$/\1/p' scripts/packages \
  | xargs apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config file dpkg-dev ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -DTGKEEP_TESTS=OFF -DTGKEEP_EXAMPLES=OFF \
 && ninja -C build/release tgkeep \
 && cpack --config build/release/CPackConfig.cmake -B /package

FROM debian:bookworm-slim
COPY --from=build /package/tgkeep_*.deb /tmp/
# The package makes the user and /var/lib/tgkeep. The configuration file is its own, with every setting at its default.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates /tmp/tgkeep_*.deb \
 && rm -rf /var/lib/apt/lists/* /tmp/tgkeep_*.deb \
 && sed -i 's|^token_file = .*|token_file = ""|' /etc/tgkeep/tgkeep.toml \
 && chmod 0755 /etc/tgkeep
USER tgkeep
WORKDIR /var/lib/tgkeep
VOLUME /var/lib/tgkeep
ENV TGKEEP_CONFIG=/etc/tgkeep/tgkeep.toml
EXPOSE 8480
# Answers as long as the process does; what is wrong with a bot it says in its status, and restarting would not mend it.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["tgkeep", "status"]
# Longer than `drain`: docker stop -t 40, stop_grace_period in compose.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tgkeep"]
CMD ["serve"]
