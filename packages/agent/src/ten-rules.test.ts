/**
 * The rules at the head of the data plane's description, each against a real supervisord and the
 * real tools. Rule 10 (pacing) is tested with the commands.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { srtLeg, ristLeg } from './commands/leg.fixture.ts'
import {
  eventually,
  freeUdpPort,
  nextEvent,
  openTestAgent,
  untilReport,
  shared,
} from './agent.fixture.ts'
import * as programService from './programs/program.service.ts'
import { STREAMS_OWNER } from './programs/program.service.ts'
import { logFile } from './supervisor/layout.ts'
import { identityOf, processesOf, whenGone } from './supervisor/process-identity.ts'
import { instanceOf } from './supervisor/supervisor.process.ts'

const SEAT = 'acants-0'
/** Only ends what hangs: the kernel takes them at once. */
const GONE_LIMIT_MS = 60_000
const agent = shared(async () => openTestAgent())

async function apply(programId: string, spec: ProgramSpec) {
  const asked = { programId, revision: 'r1', spec, wanted: 'running' as const }
  return programService.apply(agent.ctx, SEAT, asked)
}

async function remove(owner: string, ...programIds: string[]) {
  await Promise.all(programIds.map((id) => programService.remove(agent.ctx, owner, id)))
}

const KEY = { passphrase: 'an-open-secret', bits: 256 as const }
const OTHER_KEY = { passphrase: 'another-secret', bits: 256 as const }
const local = (port: number) => ({ ip: '127.0.0.1', port, ttl: 1 })

function srt(kind: 'sender' | 'receiver', localPort: number, port: number, key = KEY): ProgramSpec {
  return {
    kind,
    local: local(localPort),
    outer: srtLeg(kind === 'sender' ? 'call' : 'listen', port, { key }),
  }
}

function rist(
  kind: 'sender' | 'receiver',
  localPort: number,
  port: number,
  key = KEY,
): ProgramSpec {
  return {
    kind,
    local: local(localPort),
    outer: ristLeg(kind === 'sender' ? 'call' : 'listen', port, { key }),
  }
}

/** Transport packets at a steady pace into a local leg: 1316 bytes every 5 ms are 2.1 Mbit/s. */
function feed(port: number): Disposable & { sent(): number } {
  const socket = createSocket('udp4')
  const packet = Buffer.alloc(1316, 0x47)
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    socket.send(packet, port, '127.0.0.1')
  }, 5)
  return {
    sent: () => sent,
    [Symbol.dispose]: () => {
      clearInterval(timer)
      socket.close()
    },
  }
}

test('rule 1 hostile text executes nothing, and a bad foreign file stops only new programs', async () => {
  const { layout } = agent.ctx.supervisor
  const sentinel = join(agent.config.dataDir, 'sentinel')
  const text = `x ; #%(ENV_HOME)s' $(touch ${sentinel}) \`touch ${sentinel}\`\n[program:evil]`
  await agent.apply('hostile', {
    argv: ['sh', '-c', 'printf %s "$1" >&2; exec sleep 1000', 'sh', text],
  })
  await agent.untilRunning('hostile')
  await eventually(() => {
    const lines = programService.tail(agent.ctx, STREAMS_OWNER, 'hostile', 10)
    const lastLines = lines.slice(-2).map((line) => line.replace(/^\S+Z /, ''))
    expect(lastLines).toEqual(text.split('\n'))
  })
  expect(existsSync(sentinel)).toBe(false)

  const bad = join(layout.sectionsDir, 'bad.conf')
  writeFileSync(bad, '[program:bad]\ncommand=x %(nosuch)s\n')
  await expect(agent.apply('late')).rejects.toThrow('CANT_REREAD')
  expect(existsSync(join(layout.sectionsDir, 'late.conf'))).toBe(false)
  expect(programService.report(agent.ctx, 'late')).toBeNull()
  expect(programService.report(agent.ctx, 'hostile')?.state).toBe('running')
  rmSync(bad)
  await remove(STREAMS_OWNER, 'hostile')
})

test('F16 a damaged section of ours is written anew, and stops no new program', async () => {
  const { layout } = agent.ctx.supervisor
  const file = join(layout.sectionsDir, 'damaged.conf')
  await agent.apply('damaged')
  const { pid } = await agent.untilRunning('damaged')
  const whole = readFileSync(file)
  const midWord = whole.indexOf('autorestart=true') + 'autorestart=tr'.length
  for (const damaged of [whole.subarray(0, midWord), Buffer.alloc(whole.length)]) {
    writeFileSync(file, damaged)
    await agent.apply('late')
    await agent.untilRunning('late')
    await remove(STREAMS_OWNER, 'late')
    expect(readFileSync(file, 'utf8')).toBe(whole.toString())
  }
  expect(programService.report(agent.ctx, 'damaged')).toMatchObject({ pid, state: 'running' })
  await remove(STREAMS_OWNER, 'damaged')
})

test('rule 2 a killed supervisord leaves no orphans, and comes back with its programs', async () => {
  const { layout } = agent.ctx.supervisor
  await agent.apply('phoenix')
  const before = await agent.untilRunning('phoenix')
  const orphan = identityOf(before.pid ?? 0)
  const supervisord = instanceOf(layout)
  const restart = nextEvent(agent.ctx, (event) => event.type === 'restart')
  process.kill(supervisord?.pid ?? 0, 'SIGKILL')
  expect(await restart).toMatchObject({ programId: 'phoenix', restarts: 1 })
  const after = await untilReport(
    agent.ctx,
    'phoenix',
    (report) => report.state === 'running' && report.pid !== before.pid,
  )
  expect(after.restarts).toBe(1)
  expect(identityOf(orphan?.pid ?? 0)).not.toEqual(orphan)
  expect(instanceOf(layout)?.pid).not.toBe(supervisord?.pid)
  // supervisord calls a child running by the clock, which may be before it has become the tool.
  await eventually(() => {
    const sleeping = processesOf(layout.socket).filter(({ pid }) => toolOf(pid) === 'sleep')
    expect(sleeping.map(({ pid }) => pid)).toEqual([after.pid])
  })

  const program = identityOf(after.pid ?? 0)
  await agent.restart(async () => {
    process.kill(instanceOf(layout)?.pid ?? 0, 'SIGKILL')
    // Nobody is there to clean up: they must go by themselves.
    expect(await whenGone(program ? [program] : [], GONE_LIMIT_MS)).toEqual([])
  })
  await agent.untilRunning('phoenix')
  await remove(STREAMS_OWNER, 'phoenix')
})

/** The program that a process runs now; '' when it has ended. */
function toolOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

test('rule 3 a crash loop is reported as such, with its cause and each restart', async () => {
  const restarts: number[] = []
  const stop = agent.ctx.board.listen((event) => {
    if (event.type === 'restart' && event.programId === 'crasher') restarts.push(event.restarts)
  })
  const answer = await agent.apply('crasher', {
    argv: ['sh', '-c', 'echo the error of the day >&2; exit 3'],
  })
  expect(answer.state).not.toBe('running')
  const report = await untilReport(agent.ctx, 'crasher', ({ state }) => state === 'fatal')
  stop()
  expect(report).toMatchObject({ wanted: 'running', cause: 'the error of the day', pid: null })
  // On a busy machine an end may come so late that supervisord has taken the process for running.
  expect(restarts).toEqual(restarts.map((_restart, at) => at + 1))
  expect(restarts.length).toBeGreaterThanOrEqual(4)
  await remove(STREAMS_OWNER, 'crasher')
})

test('rule 4 logs are rotated at a small size, and a tail reads on in the rotated file', async () => {
  const words =
    'i=0; while [ $i -lt 12000 ]; do i=$((i+1)); echo "line $i of a tool that talks much, more than anybody can read"; done >&2; exec sleep 1000'
  await agent.apply('talker', { argv: ['sh', '-c', words] })
  await agent.untilRunning('talker')
  // It talks on while it is called running, for as long as the machine needs.
  await eventually(() => {
    const [last] = programService.tail(agent.ctx, STREAMS_OWNER, 'talker', 1)
    expect(last).toContain('line 12000 of')
  })
  const file = logFile(agent.ctx.supervisor.layout, 'talker', 'err')
  const limit = 512 * 1024 + 64 * 1024
  expect(statSync(file).size).toBeLessThan(limit)
  expect(statSync(`${file}.1`).size).toBeLessThan(limit)
  expect(existsSync(`${file}.2`)).toBe(false)
  const lines = programService.tail(agent.ctx, STREAMS_OWNER, 'talker', 1000)
  expect(lines).toHaveLength(1000)
  expect(lines[0]).toContain('line 11001 of')
  expect(statSync(logFile(agent.ctx.supervisor.layout, 'talker', 'out')).size).toBe(0)
  await remove(STREAMS_OWNER, 'talker')
})

test('rules 5, 7 and 8 an SRT link: peer, silence of its source, and no secret in its tail', async () => {
  const [from, outer, to] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const source = feed(from)
  await Promise.all([
    apply('in-srt', srt('receiver', to, outer)),
    apply('out-srt', srt('sender', from, outer)),
  ])
  await untilReport(agent.ctx, 'in-srt', (report) => report.peer === 'connected')
  await untilReport(agent.ctx, 'out-srt', (report) => report.peer === 'connected')
  await nextEvent(
    agent.ctx,
    isReadingOf('in-srt', (kbps) => kbps > 0),
  )
  // One line is its own sum.
  await eventually(() => expect(countsInLog('in-srt').length).toBeGreaterThan(2))

  source[Symbol.dispose]()
  await nextEvent(
    agent.ctx,
    isReadingOf('in-srt', (kbps) => kbps === 0),
  )
  const silent = programService.report(agent.ctx, 'in-srt')
  expect(silent?.peer).toBe('connected')
  // How many of the packets sent stand in a line is the tool's affair; each that does is summed up.
  const sum = () => countsInLog('in-srt').reduce((before, packets) => before + packets, 0)
  await eventually(() => expect(linkPackets('in-srt')).toBe(sum()))
  expect(linkPackets('in-srt')).toBeGreaterThan(0)
  expect(linkPackets('in-srt')).toBeLessThanOrEqual(source.sent())

  for (const programId of ['in-srt', 'out-srt']) {
    const lines = tailOf(programId)
    expect(lines).toContain('passphrase=••••••')
    expect(lines).not.toContain(KEY.passphrase)
  }
  await remove(SEAT, 'out-srt')
  await untilReport(agent.ctx, 'in-srt', (report) => report.peer === 'disconnected')
  await remove(SEAT, 'in-srt')
})

function linkPackets(programId: string): number | null {
  const reading = programService.report(agent.ctx, programId)?.reading
  return reading?.kind === 'link' ? reading.packets : null
}

/** The packets of each statistics line that a receiver of SRT has written, without its empty ones. */
function countsInLog(programId: string): number[] {
  const text = readFileSync(logFile(agent.ctx.supervisor.layout, programId, 'out'), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines
    .map((line) => (JSON.parse(line) as { recv: { packetsUnique: number } }).recv.packetsUnique)
    .filter((packets) => packets > 0)
}

function isReadingOf(programId: string, isIt: (kbps: number) => boolean) {
  return (event: {
    type: string
    readings?: { programId: string; reading: { bitrateKbps: number } }[]
  }) =>
    event.type === 'readings' &&
    (event.readings ?? []).some(
      (entry) => entry.programId === programId && isIt(entry.reading.bitrateKbps),
    )
}

test('rule 6 a RIST link is connected once data passes, and lost when the far end goes', async () => {
  const [from, outer, to] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  using _source = feed(from)
  await Promise.all([
    apply('in-rist', rist('receiver', to, outer)),
    apply('out-rist', rist('sender', from, outer)),
  ])
  await untilReport(agent.ctx, 'in-rist', (report) => report.peer === 'connected')
  await untilReport(agent.ctx, 'out-rist', (report) => report.peer === 'connected')
  await nextEvent(
    agent.ctx,
    isReadingOf('in-rist', (kbps) => kbps > 0),
  )
  expect(tailOf('out-rist')).toContain('RIST target connected')
  await remove(SEAT, 'in-rist')
  await untilReport(agent.ctx, 'out-rist', (report) => report.peer === 'disconnected')
  expect(tailOf('out-rist')).toContain('RIST target disconnected')
  await remove(SEAT, 'out-rist')
})

function tailOf(programId: string): string {
  return programService.tail(agent.ctx, SEAT, programId, 100).join('\n')
}

test('rule 6 a wrong RIST secret is not a connection, even if the tool logs authenticated', async () => {
  const [from, outer, to] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  using _source = feed(from)
  await apply('in-wrong', rist('receiver', to, outer))
  await apply('out-wrong', rist('sender', from, outer, OTHER_KEY))
  // The sender may or may not notice: it depends on what its garbage happens to look like.
  const report = await untilReport(agent.ctx, 'in-wrong', ({ cause }) => cause !== '')
  expect(report).toMatchObject({ state: 'running', peer: '' })
  expect(report.cause).toBe('The two ends have different secrets (RIST).')
  const sender = await agent.untilRunning('out-wrong')
  expect(sender.peer).toBe('')
  await eventually(() => expect(tailOf('out-wrong')).toContain('Successfully Authenticated'))
  expect(tailOf('out-wrong')).not.toContain(OTHER_KEY.passphrase)
  await remove(SEAT, 'in-wrong', 'out-wrong')
})

test('rule 9 a port that another process uses is refused by name, and nothing is changed', async () => {
  const holder = createSocket('udp4').bind(0)
  await once(holder, 'listening')
  const { port } = holder.address()
  const spec = srt('receiver', await freeUdpPort(), port)
  await expect(apply('squeezed', spec)).rejects.toThrow(
    `UDP port ${port} of this host is already used by`,
  )
  expect(programService.report(agent.ctx, 'squeezed')).toBeNull()
  holder.close()
  await once(holder, 'close')
  await apply('squeezed', spec)
  await agent.untilRunning('squeezed')
  await remove(SEAT, 'squeezed')
})
