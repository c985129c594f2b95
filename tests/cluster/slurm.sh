# Brings up a Slurm cluster in the folder $home, and takes it down again.

nodes="node1 node2 node3 node4"

bring_up() {
    mkdir -p "$home"/{state,log,munge,spool-node{1..4}}
    chmod 755 "$home"
    chmod 700 "$home/munge"
    head -c 1024 /dev/urandom > "$home/munge/key"
    chmod 400 "$home/munge/key"
    munged --force --key-file="$home/munge/key" --socket="$home/munge.socket" \
        --pid-file="$home/munge.pid" --log-file="$home/log/munged" --seed-file="$home/munge/seed"
    local host port number=0 node
    host=$(hostname -s)
    port=$((20000 + RANDOM % 10000))
    cat > "$home/slurm.conf" <<END
ClusterName=strong4
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
# A job that is queued again waits until its credential has expired.
AuthInfo=socket=$home/munge.socket,cred_expire=5
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool-%n
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/%n.pid
SlurmctldLogFile=$home/log/slurmctld
SlurmdLogFile=$home/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
PropagateResourceLimits=NONE
MpiDefault=none
KillWait=1
ReturnToService=2
PartitionName=all Nodes=ALL Default=YES
END
    for node in $nodes; do
        number=$((number + 1))
        echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + number))" \
            "CPUs=1 RealMemory=3000" >> "$home/slurm.conf"
    done
    export SLURM_CONF=$home/slurm.conf
    slurmctld -c
    for node in $nodes; do
        slurmd -N "$node"
    done
    until_true all_are_idle
}

all_are_idle() { [ "$(sinfo --noheader --states=idle --format=%D 2> /dev/null)" = 4 ]; }

# Ends a daemon that wrote its process into a file.
stop() {
    local process
    process=$(cat "$home/$1.pid" 2> /dev/null) || return 0
    kill -KILL "$process" 2> /dev/null || true
}

stop_node() { stop "$1"; }

# Jobs first, and then those that would start them again.
take_down() {
    scancel --user="$(id -un)" 2> /dev/null || true
    local node process
    for node in $nodes slurmctld munge; do
        stop "$node"
    done
    # What a node that was taken away has still been doing: all that was told of this cluster.
    for process in $(grep -lsF "$home" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d / -f 3 | sort -u); do
        [ "$process" = $$ ] || kill -KILL "$process" 2> /dev/null || true
    done
}

show_logs() {
    local log
    for log in "$home"/log/* "$home"/*/log/*; do
        [ -f "$log" ] || continue
        echo "--- $log"
        tail -n 20 "$log"
    done >&2
}
