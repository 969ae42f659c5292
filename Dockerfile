# docker build -t rondo .        docker run --rm -v "$PWD:/models" rondo info /models/model.onnx
#
# The image holds the command and the libraries that it loads, and nothing else.
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
    && packaging/image_root.sh /build /image

FROM scratch
COPY --from=build /image /
USER 1000
WORKDIR /models
ENTRYPOINT ["/usr/bin/rondo"]
CMD ["--help"]
