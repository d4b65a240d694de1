/**
 * `npm run docs:walk`: walks from three fresh Debian 12 to a running link by the pages of docs/operate
 * alone. The commands are read from the pages; what is done in the console is done by its calls. Prints
 * each step with its time, and writes all of it into docs/operate/25-ten-minutes.md. Needs root,
 * debootstrap for its first run, and Debian's archive.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { signIn } from '@trunkline/testbed/seed'
import { format } from 'oxfmt'
import { build } from './build.mjs'
import * as operator from './docs/console-operator.ts'
import { passOn, serveArchive } from './docs/debian-proxy.ts'
import {
  readableLines,
  stepText,
  sumSentence,
  withTranscript,
  type WalkStep,
} from './docs/transcript.ts'
import { commandsUnder, ENROL, LIST, SECTIONS } from './docs/walk-commands.ts'
import { makeNetwork, openMachine, PROXY_PORT, type WalkMachine } from './docs/walk-machines.ts'
import { runChild } from './named-runs.mjs'
import { buildPackages } from './package/build-packages.mjs'
import { say } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'

const PAGE = join(root, 'docs/operate/25-ten-minutes.md')
const DEBIAN = join(root, '.trunkline/debian-12')
const CERTIFICATE = '/etc/ssl/console.example.pem'
const CONSOLE_IP = '10.0.0.10'
const NAMES = { 'console.example': CONSOLE_IP }
const EMAIL = 'you@example.com'
const SOURCES = `deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
`

/** The packages, a Debian and its archive; then the walk itself, on a network of its own. */
async function prepare(): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('The walk makes machines of its own: run it as root.')
  await build(await setup('build'))
  makeDebian()
  const place = mkdtempSync(join(tmpdir(), 'trunkline-walk-'))
  try {
    await buildPackages({ root, out: place })
    const archive = await serveArchive(join(place, 'archive'))
    const argv = ['unshare', '--net', '--mount', process.execPath, import.meta.filename, place]
    process.exitCode = await runChild(argv, { stdio: 'inherit' })
    archive.close()
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** What the installer leaves without a desktop: kept for later walks. */
function makeDebian(): void {
  if (existsSync(DEBIAN)) return
  say(`Making a Debian 12 in ${DEBIAN}, with debootstrap; this takes minutes`)
  const begun = `${DEBIAN}.begun`
  rmSync(begun, { recursive: true, force: true })
  execFileSync('debootstrap', ['bookworm', begun, 'http://deb.debian.org/debian'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(join(begun, 'etc/apt/sources.list'), SOURCES)
  rmSync(join(begun, 'etc/resolv.conf'))
  rmSync(join(begun, 'var/cache/apt/archives'), { recursive: true })
  renameSync(begun, DEBIAN)
}

async function walk(place: string): Promise<void> {
  makeNetwork()
  // The name is in the certificate, and whoever walks has no name server.
  writeFileSync(join(place, 'hosts'), `127.0.0.1 localhost\n${CONSOLE_IP} console.example\n`)
  execFileSync('mount', ['--bind', join(place, 'hosts'), '/etc/hosts'])
  const archive = await passOn(PROXY_PORT, join(place, 'archive'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const open = async (name: string, ip: string, deb: string) =>
    openMachine(
      { name, ip },
      { base: DEBIAN, names: NAMES, files: [join(place, `${deb}_${version}_amd64.deb`)] },
    )
  await using stack = new AsyncDisposableStack()
  const machines = {
    console: await open('console', CONSOLE_IP, 'trunkline'),
    studio: await open('studio', '10.0.0.21', 'trunkline-agent'),
    gateway: await open('gateway', '10.0.0.22', 'trunkline-agent'),
  }
  for (const { machine } of Object.values(machines)) stack.use(machine)
  const begunMs = performance.now()
  const steps = await walkAll(machines)
  const sum = sumSentence(steps, (performance.now() - begunMs) / 1000)
  archive.close()
  say(sum)
  const day = new Date().toISOString().slice(0, 10)
  const page = withTranscript(readFileSync(PAGE, 'utf8'), steps, `On ${day}: ${sum}`)
  writeFileSync(PAGE, (await format(PAGE, page)).code)
}

/** Types and clicks; what it did is in `steps`. */
function openWalker(password: string) {
  const secrets: string[] = [password]
  const steps: WalkStep[] = []
  const note = (step: WalkStep) => {
    steps.push(step)
    process.stdout.write(`${stepText(step)}\n`)
  }
  const type = async (at: WalkMachine, command: string, shown = command): Promise<string> => {
    const begunMs = performance.now()
    const { code, text } = await at.machine.type(command, [
      [/\[Y\/n\] ?$/, ''],
      [/(?:New password|The same again): ?$/, password],
    ])
    const seconds = (performance.now() - begunMs) / 1000
    if (code !== 0) throw new Error(`${at.name}: ${command} ended with code ${code}:\n${text}`)
    for (const [, key = ''] of text.matchAll(/"key": "([^"]+)"/g)) secrets.push(key)
    note({ where: at.name, action: shown, seconds, output: readableLines(text, secrets) })
    return text
  }
  const typeAll = async (at: WalkMachine, heading: string): Promise<void> => {
    for (const command of commandsUnder(heading)) await type(at, command)
  }
  const browse = async <T>(action: string, act: () => Promise<T>): Promise<T> => {
    const begunMs = performance.now()
    const answer = await act()
    const output = Array.isArray(answer) ? (answer as string[]) : []
    note({ where: 'browser', action, seconds: (performance.now() - begunMs) / 1000, output })
    return answer
  }
  return { steps, secrets, type, typeAll, browse }
}
type Walker = ReturnType<typeof openWalker>

/** Console and hosts. */
async function installAll(
  { typeAll }: Walker,
  { console, studio, gateway }: Machines,
): Promise<void> {
  await typeAll(console, SECTIONS.console)
  await typeAll(console, SECTIONS.proxy)
  const certificate = console.machine.read(CERTIFICATE)
  // Side by side, as an operator with two terminals does.
  await Promise.all(
    [studio, gateway].map(async (host) => {
      writeFileSync(host.machine.path('/root/console.example.pem'), certificate)
      await typeAll(host, SECTIONS.host)
    }),
  )
  setDefaultCACertificates([certificate])
}

type Machines = Record<'console' | 'studio' | 'gateway', WalkMachine>

async function walkAll(machines: Machines): Promise<WalkStep[]> {
  const { console, studio, gateway } = machines
  const password = 'correct horse battery'
  const walker = openWalker(password)
  const { steps, secrets, type, browse } = walker
  await installAll(walker, machines)
  const baseUrl = 'https://console.example'
  const client = await browse(`sign in at ${baseUrl} as ${EMAIL}`, async () =>
    signIn(baseUrl, EMAIL, password),
  )
  const enrol = async (kind: 'server' | 'encoder', id: string, at: WalkMachine) => {
    const code = await browse(`Secure connection, Make enrolment code`, async () =>
      operator.makeCode(client, kind, id),
    )
    const example = /--code (\S+)/.exec(ENROL)?.[1] ?? ''
    await type(at, ENROL.replace(example, code), ENROL)
    await browse('the dialog turns to Enrolled', async () =>
      operator.untilTrusted(client, kind, id),
    )
  }

  const groupId = await browse('Access: add a manager, and the group North', async () =>
    operator.addPeople(client, password),
  )
  const serverId = await browse(
    'Servers, Add server, Enrol the host: Gateway, 10.0.0.22, port 8010',
    async () => operator.addGateway(client, { ip: gateway.ip, port: 8010 }, groupId),
  )
  await enrol('server', serverId, gateway)
  await browse('Choose adapters, Save', async () =>
    operator.chooseAdapters(client, serverId, gateway.ip),
  )
  const cameraId = await browse(
    'Encoders, Add encoder, Enrol the host: Camera 1, 10.0.0.21, port 8000',
    async () => operator.addCamera(client, { ip: studio.ip, port: 8000 }, groupId),
  )
  await enrol('encoder', cameraId, studio)
  const link = await browse(
    'Camera 1, Edit config: test pattern, feeder to Gateway, matching input; Save',
    async () => operator.addLink(client, { cameraId, serverId, groupId, ip: gateway.ip }),
  )
  await browse('Start the input, the feeder and Camera 1', async () =>
    operator.startLink(client, link),
  )
  await browse('the input shows its bitrate, and the card its picture', async () =>
    operator.untilRunning(client, link),
  )
  const token = await browse('API tokens, New token: Read only', async () =>
    operator.makeToken(client, password),
  )
  secrets.push(token)
  const settings = `TRUNKLINE_URL=http://127.0.0.1:8080 TRUNKLINE_TOKEN=${token}`
  await type(console, `${settings} ${LIST}`, LIST)
  return steps
}

const [folder] = process.argv.slice(2)
try {
  await (folder === undefined ? prepare() : walk(folder))
} catch (error) {
  giveUp(error)
}
