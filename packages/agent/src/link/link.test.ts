import { once } from 'node:events'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { expect, test, vi } from 'vitest'
import { srtLeg } from '../commands/leg.fixture.ts'
import { WebSocket } from 'ws'
import { freeUdpPort, openLink, openTestAgent, shared } from '../agent.fixture.ts'

const agent = shared(async () => openTestAgent(['acants', 'encoder', 'channel']))

function seat(index: number) {
  const found = agent.config.seats[index]
  if (!found) throw new Error(`no seat ${index}`)
  return found
}

async function srtInput(programId: string, port?: number) {
  return {
    programId,
    revision: 'r1',
    wanted: 'running',
    spec: {
      kind: 'receiver',
      local: { ip: '127.0.0.1', port: await freeUdpPort(), ttl: 1 },
      outer: srtLeg('listen', port ?? (await freeUdpPort())),
    },
  }
}

const isRunning = (programId: string) => (message: HostMessage) =>
  message.type === 'program' &&
  message.report.programId === programId &&
  message.report.state === 'running'

test('the hello reports the host, its capabilities and its programs', async () => {
  await using link = await openLink(seat(0))
  const [hello] = link.messages
  expect(hello).toMatchObject({ type: 'hello', seatKind: 'acants', programs: [] })
  const capabilities = await link.ask('readCapabilities', {})
  expect(capabilities.tools).toMatchObject({ ffmpeg: expect.stringMatching(/^\d/) as string })
  expect(Object.keys(capabilities.tools).toSorted()).toEqual([
    'ffmpeg',
    'ffprobe',
    'ristreceiver',
    'ristsender',
    'srt-live-transmit',
  ])
  expect(capabilities.encoders).toContain('libx264')
  expect(capabilities.adapters).toContainEqual({ name: 'lo', ip: '127.0.0.1' })
  expect(capabilities.localBus).toEqual({ works: true, reason: '' })
})

test('a change by one API is reported to every other API of the seat, not to another seat', async () => {
  await using asking = await openLink(seat(0))
  await using watching = await openLink(seat(0))
  await using other = await openLink(seat(1))
  const report = await asking.ask('applyProgram', await srtInput('input-shared'))
  expect(report).toMatchObject({ programId: 'input-shared', appliedRevision: 'r1' })
  await Promise.all([
    asking.until(isRunning('input-shared')),
    watching.until(isRunning('input-shared')),
  ])
  await expect(other.ask('tailProgram', { programId: 'input-shared', lines: 5 })).rejects.toThrow(
    "has no program 'input-shared'",
  )
  await using late = await openLink(seat(0))
  expect(programsOf(late.messages[0]).map((program) => program.programId)).toContain('input-shared')
  expect(await asking.ask('removeProgram', { programId: 'input-shared' })).toEqual({
    removed: true,
  })
  await watching.until((message) => message.type === 'removed')
  expect(other.messages.filter(({ type }) => type === 'program' || type === 'removed')).toEqual([])
})

function programsOf(message: HostMessage | undefined): ProgramReport[] {
  return message?.type === 'hello' ? message.programs : []
}

test('a killed process reaches the API as a state and as a restart', async () => {
  await using link = await openLink(seat(0))
  await link.ask('applyProgram', await srtInput('input-killed'))
  const running = await link.until(isRunning('input-killed'))
  const pid = running.type === 'program' ? running.report.pid : null
  process.kill(pid ?? 0, 'SIGKILL')
  const restart = await link.until((message) => message.type === 'restart')
  expect(restart).toMatchObject({
    programId: 'input-killed',
    restarts: 1,
    cause: 'Ended by SIGKILL',
  })
  await link.until((message) => message.type === 'program' && message.report.state === 'exited')
  await link.ask('removeProgram', { programId: 'input-killed' })
})

test('a taken port is seen, and a start on it refused in words', async () => {
  await using link = await openLink(seat(0))
  const port = await freeUdpPort()
  expect(await link.ask('probePort', { port })).toEqual({ free: true })
  await link.ask('applyProgram', await srtInput('input-first', port))
  await link.until(isRunning('input-first'))
  expect(await link.ask('probePort', { port })).toEqual({ free: false })
  const second = link.ask('applyProgram', await srtInput('input-second', port))
  await expect(second).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('of program input-first') as string,
  })
  await link.ask('removeProgram', { programId: 'input-first' })
})

test('a command leaves a line with the name of the request that it was given for', async () => {
  const info = vi.spyOn(agent.ctx.log, 'info')
  await using link = await openLink(seat(0))
  const asked = { call: 'removeProgram', params: { programId: 'nothing' } }
  const requestId = '0123456789ab'
  link.socket.send(JSON.stringify({ id: 900, ...asked, requestId }))
  await link.until((message) => 'id' in message && message.id === 900)
  expect(info).toHaveBeenCalledWith({ call: asked.call, requestId }, 'a call is carried out')
})

test.each<[name: string, call: string, params: unknown, sentence: string]>([
  ['unknown field', 'controlProgram', { programId: 'a', command: 'stop', force: true }, 'force'],
  ['bad id', 'removeProgram', { programId: '../../etc' }, 'programId'],
  ['wrong type', 'tailProgram', { programId: 'a', lines: 'all' }, 'lines'],
  ['nothing', 'applyProgram', null, 'params'],
])('invalid parameters are named: %s', async (_name, call, params, sentence) => {
  await using link = await openLink(seat(0))
  const asked = link.ask(call as 'removeProgram', params)
  await expect(asked).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(sentence) as string,
  })
})

test.each(['no JSON', '{"id":1,"call":"runShell","params":{}}', '[]', '"\\u0000"'])(
  'an invalid request closes the link: %s',
  async (text) => {
    await using link = await openLink(seat(0))
    link.socket.send(text)
    const [code] = (await once(link.socket, 'close')) as [number]
    expect(code).toBe(4400)
  },
)

test('a message over 1 MB closes the link, and the agent keeps running', async () => {
  await using link = await openLink(seat(0))
  link.socket.send(Buffer.alloc(1024 * 1024 + 1, 32))
  await once(link.socket, 'close')
  await using next = await openLink(seat(0))
  expect(next.messages[0]).toMatchObject({ type: 'hello' })
})

test('G1 an agent gives signs of life unasked, so that the API need not ask', async () => {
  await using link = await openLink(seat(0))
  const onPing = vi.fn<() => void>()
  link.socket.on('ping', onPing)
  await once(link.socket, 'pong')
  expect(onPing).not.toHaveBeenCalled()
})

async function refusedUpgrade(port: number, path: string, authorization: string | null) {
  const headers = authorization === null ? {} : { authorization }
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode: number },
  ]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: response.statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
  }
}

test.each([null, 'Bearer', 'Bearer wrong', 'Basic key-of-seat-0', 'Bearer key-of-seat-1'])(
  'a wrong key is refused in words: %s',
  async (authorization) => {
    const refusal = await refusedUpgrade(seat(0).port, '/link', authorization)
    expect(refusal).toMatchObject({
      status: 401,
      body: { status: false, error: expect.stringContaining('key') as string },
    })
  },
)

test('another path opens no link', async () => {
  const refusal = await refusedUpgrade(seat(0).port, '/nothing', `Bearer ${seat(0).key}`)
  expect(refusal.status).toBe(404)
})

test('the health call requires the key', async () => {
  const url = `http://127.0.0.1:${seat(1).port}/health`
  const good = await fetch(url, { headers: { authorization: `Bearer ${seat(1).key}` } })
  expect(await good.json()).toMatchObject({ status: true, kind: 'encoder' })
  expect((await fetch(url)).status).toBe(401)
})

test('a channel seat serves the streamer API beside its link, the others do not', async () => {
  const status = async (index: number) => {
    const url = `http://127.0.0.1:${seat(index).port}/streamer/api/v3/streams`
    return (await fetch(url, { headers: { authorization: `Bearer ${seat(index).key}` } })).status
  }
  expect(await status(2)).toBe(200)
  expect(await status(0)).toBe(404)
  await using link = await openLink(seat(2))
  expect(link.messages[0]).toMatchObject({ seatKind: 'channel' })
})
