/**
 * A machine of its own for tests of the packages: what this one has, or a Debian in a folder, in a layer
 * above it that is gone afterwards, with processes and a network of its own, and systemd as its first
 * process. Needs root, and a kernel that gives it namespaces, overlay file systems and control groups.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

interface Ran {
  code: number
  /** stdout and stderr, as they came. */
  text: string
}

/** A process of the machine, as this machine counts them. */
export interface MachineProcess {
  pid: number
  /** Together with the pid it is the same process and no later one. */
  startTicks: string
  /** With its arguments. */
  command: string
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
}
/** Only ends what hangs: it takes a second. */
const BOOT_LIMIT_MS = 120_000
const LOOK_MS = 100

/**
 * $1: an empty folder of this machine, $2: a name for its control group, $3: SET_UP, $4: what is below
 * its layer. Control groups are one tree for all: the machine gets a branch.
 */
const BRANCH = `set -e
mount -t tmpfs -o mode=0755 layer "$1"
mkdir "$1/groups"
mount -t cgroup2 groups "$1/groups"
mkdir "$1/groups/$2"
echo $$ >"$1/groups/$2/cgroup.procs"
exec unshare --net --pid --ipc --uts --cgroup --fork --kill-child sh -c "$3" sh "$1" "$4"`

/** $1: an empty folder, $2: the name. Its processes have ended. */
const REMOVE_BRANCH = `mount -t cgroup2 groups "$1" && find "$1/$2" -depth -type d -exec rmdir {} +`

/**
 * $1: the folder, $2: what is below its layer. What the kernel has only once, such as its settings, is
 * read-only inside, and no service of this machine starts there.
 */
const SET_UP = `set -e
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" overlay "$1/root"
cd "$1/root"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=0755 dev dev
for device in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
  set -- "$1" $device
  mknod -m 666 "dev/$2" c "$3" "$4"
done
mkdir dev/shm dev/pts
mount -t tmpfs shm dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=0755 run run
mkdir run/changes
mount --bind "$1/upper" run/changes
mount -t tmpfs -o mode=1777 tmp tmp
rm -f usr/sbin/policy-rc.d
rm -rf etc/systemd/system/*.wants
for unit in apparmor systemd-binfmt systemd-modules-load systemd-random-seed systemd-remount-fs \\
  systemd-sysctl systemd-timesyncd systemd-udevd; do
  ln -sf /dev/null "etc/systemd/system/$unit.service"
done
# ip may not be here; python3 comes with supervisor.
python3 -c '
import fcntl, socket, struct
s = socket.socket()
fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))
'
mkdir .former
pivot_root . .former
umount -l .former
rmdir .former
echo ready
rights=-sys_boot,-sys_module,-sys_rawio,-sys_time,-syslog
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin setpriv "--bounding-set=$rights" \\
  /lib/systemd/systemd --system --unit=basic.target </dev/null >/dev/null 2>&1`

export class Machine implements AsyncDisposable {
  readonly #folder: string
  readonly #holder: ChildProcess
  /** The first process of the machine, as this machine counts them. */
  readonly #pid: number

  private constructor(folder: string, holder: ChildProcess, pid: number) {
    this.#folder = folder
    this.#holder = holder
    this.#pid = pid
  }

  /**
   * Its systemd runs. `base`: a folder with a Debian, in place of what this machine has. Throws a
   * sentence where this machine cannot make one.
   */
  static async open(base = '/'): Promise<Machine> {
    if (process.getuid?.() !== 0) throw impossible('this is not root')
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-machine-'))
    const branch = ['sh', '-c', BRANCH, 'sh', folder, basename(folder), SET_UP, base]
    // It goes with this process, however that ends.
    const holder = start('setpriv', ['--pdeathsig', 'KILL', 'unshare', '--mount', ...branch])
    let errors = ''
    holder.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const ready = new Promise<boolean>((resolve) => {
      holder.stdout?.once('data', () => resolve(true))
    })
    const failed = once(holder, 'close').then(() => false)
    if (!(await Promise.race([ready, failed]))) {
      rmSync(folder, { recursive: true, force: true })
      throw impossible(errors.trim())
    }
    const machine = new Machine(folder, holder, childOf(holder.pid ?? 0))
    // What is written there must never be written here.
    if (statSync(machine.path('/')).dev === statSync('/').dev) throw impossible('its root is ours')
    await machine.#untilBooted()
    return machine
  }

  /** Where this machine finds a file of that one. */
  path(file: string): string {
    return join(`/proc/${this.#pid}/root`, file)
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8')
  }

  /** As root. */
  async run(...command: string[]): Promise<Ran> {
    return collect(start('nsenter', [...this.#into(), '--', ...command]))
  }

  #into(): string[] {
    const spaces = ['--mount', '--net', '--pid', '--ipc', '--uts', '--root', '--wd']
    return ['--target', `${this.#pid}`, ...spaces]
  }

  /** Throws what was printed when it fails. */
  async succeed(...command: string[]): Promise<string> {
    const { code, text } = await this.run(...command)
    if (code !== 0) throw new Error(`${command.join(' ')} ended with code ${code}:\n${text}`)
    return text
  }

  /** A program of this machine with the network of that one. */
  async runOutside(...command: string[]): Promise<Ran> {
    return collect(start('nsenter', ['--target', `${this.#pid}`, '--net', '--', ...command]))
  }

  /**
   * Types a command at a terminal of that machine, as root in /root, and answers its questions.
   * `answers`: the question's end, and what is typed then. Echo is off, as for passwords.
   */
  async type(command: string, answers: readonly (readonly [RegExp, string])[]): Promise<Ran> {
    const shell = ['script', '--quiet', '--return', '--echo', 'never', '--command', command]
    const inside = ['env', '--chdir', '/root', 'HOME=/root', 'TERM=dumb', ...shell, '/dev/null']
    const child = start('nsenter', [...this.#into(), '--', ...inside], 'pipe')
    let asked = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      asked += chunk.toString()
      const typed = answers.find(([question]) => question.test(asked))?.[1]
      if (typed === undefined) return
      asked = ''
      child.stdin?.write(`${typed}\n`)
    })
    const { code, text } = await collect(child)
    // What a line showed last: progress is written over itself.
    return { code, text: text.replaceAll('\r\n', '\n').replace(/^.*\r/gm, '') }
  }

  /** A network card with this address of a /24, plugged into a bridge of the caller's network. */
  async plugIn(bridge: string, ip: string): Promise<void> {
    const outer = `port${ip.split('.').at(-1) ?? ''}`
    const peer = ['peer', 'name', 'eth0', 'netns', `${this.#pid}`]
    for (const args of [
      ['link', 'add', outer, 'type', 'veth', ...peer],
      ['link', 'set', outer, 'master', bridge, 'up'],
    ]) {
      const { code, text } = await collect(start('ip', args))
      if (code !== 0) throw impossible(text)
    }
    for (const args of [
      ['addr', 'add', `${ip}/24`, 'dev', 'eth0'],
      ['link', 'set', 'eth0', 'up'],
    ]) {
      const { code, text } = await this.runOutside('ip', ...args)
      if (code !== 0) throw impossible(text)
    }
  }

  /** A property of a unit, as `systemctl show` has it. */
  async unitProperty(unit: string, property: string): Promise<string> {
    return (await this.succeed('systemctl', 'show', '--value', '--property', property, unit)).trim()
  }

  /** What a unit has printed. */
  async journal(unit: string): Promise<string> {
    return this.succeed('journalctl', '--no-pager', '--output', 'cat', '--unit', unit)
  }

  /** Paths that are not as on this machine, below the root. Removed ones are not among them. */
  changedFiles(): string[] {
    const upper = this.path('/run/changes')
    return (
      readdirSync(upper, { recursive: true, withFileTypes: true })
        // How an overlay marks what was removed.
        .filter((entry) => !entry.isCharacterDevice())
        .map((entry) => join(entry.parentPath, entry.name).slice(upper.length))
    )
  }

  processes(): MachineProcess[] {
    const space = readlinkSync(`/proc/${this.#pid}/ns/pid`)
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          if (readlinkSync(`/proc/${name}/ns/pid`) !== space) return []
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
          const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
          const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
          return command === '' ? [] : [{ pid: Number(name), startTicks, command }]
        } catch {
          // It has ended meanwhile.
          return []
        }
      })
  }

  /** Ends all of its processes; its files go with it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#holder, 'close')
    process.kill(this.#pid, 'SIGKILL')
    await closed
    const remove = ['sh', '-c', REMOVE_BRANCH, 'sh', this.#folder, basename(this.#folder)]
    await collect(start('unshare', ['--mount', ...remove]))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** A unit that fails for want of a device is no hindrance. */
  async #untilBooted(): Promise<void> {
    const deadline = performance.now() + BOOT_LIMIT_MS
    for (;;) {
      const { text } = await this.run('systemctl', 'is-system-running')
      if (/^(running|degraded)$/m.test(text)) return
      if (performance.now() > deadline || this.#holder.exitCode !== null) {
        await this[Symbol.asyncDispose]()
        throw impossible(`its systemd does not start: ${text.trim()}`)
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
}

function impossible(reason: string): Error {
  return new Error(
    `This machine cannot make the machine that the packages are tested on: ${reason}. It takes root, and a kernel that allows it namespaces, overlay file systems and control groups.`,
  )
}

/** In a process group of its own: whoever signals all of its group must not reach the tests. */
function start(
  program: string,
  args: readonly string[],
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(program, args, { env: ENVIRONMENT, stdio: [input, 'pipe', 'pipe'], detached: true })
}

/** unshare waits for the process that it has started. */
function childOf(pid: number): number {
  const child = Number(
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0],
  )
  // 0 would be everybody of our own when it is signalled.
  if (child > 1) return child
  throw impossible('its first process is gone')
}

async function collect(child: ChildProcess): Promise<Ran> {
  let text = ''
  const keep = (chunk: Buffer) => (text += chunk.toString())
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? -1, text }
}
