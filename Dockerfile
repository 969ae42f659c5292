# docker build -t rondo .        docker run --rm -v "$PWD:/models" rondo info /models/model.onnx
#
# The first stage builds the Debian package, the second installs it: no compiler, no sources, no root.
FROM debian:bookworm-slim AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
WORKDIR /rondo
COPY tools/packages.sh tools/
RUN . tools/packages.sh && install_missing "${build_packages[@]}"
COPY . .
ARG RONDO_COMMIT=
RUN cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DRONDO_TESTS=OFF \
        -DRONDO_COMMIT="$RONDO_COMMIT" \
    && cmake --build /build \
    && cpack --config /build/CPackConfig.cmake -B /packages

FROM debian:bookworm-slim
RUN --mount=type=bind,from=build,source=/packages,target=/packages \
    apt-get update \
    && apt-get install -y --no-install-recommends /packages/rondo_*.deb \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home rondo
USER rondo
WORKDIR /models
ENTRYPOINT ["rondo"]
CMD ["--help"]
