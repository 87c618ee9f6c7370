# Two containers of one pod, which share a network namespace; --shm-size is the pod's /dev/shm, which they share too.
podman pod create --name app --share net,ipc --shm-size 1g
podman run --detach --pod app --name server --user 1000 --env JAVA_TOOL_OPTIONS=-javaagent:/opt/rsockets4j.jar registry.example/server:1
podman run --detach --pod app --name client --user 1000 --env JAVA_TOOL_OPTIONS=-javaagent:/opt/rsockets4j.jar registry.example/client:1
