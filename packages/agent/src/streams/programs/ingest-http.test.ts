/** Streams that are fetched from a real web server: a good one, one that comes and goes, hostile ones. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { LocalLeg } from '@trunkline/contract/agent/program.messages'
import { beforeAll, expect, test } from 'vitest'
import { eventually, freeTcpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { ingestUnit } from '../../commands/channel.command.ts'
import { parseInputUrl } from '../definition/stream-url.rules.ts'
import {
  goodStream,
  hear,
  newLeg,
  openUnitSite,
  processesNaming,
  runPackager,
  untilDecodes,
} from '../unit-site.fixture.ts'

const site = shared(openUnitSite)
let stream: Buffer
beforeAll(async () => {
  stream = readFileSync(goodStream(site))
})

const PACKET_BYTES = 188
/** The stream at about its own speed. */
const PIECE_MS = 100
const STREAM_MS = 10_000

/** Sends the stream round and round until the connection ends. */
function sendStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'video/mp2t' })
  const packets = stream.length / PACKET_BYTES
  const pieceBytes = Math.ceil((packets * PIECE_MS) / STREAM_MS) * PACKET_BYTES
  let at = 0
  const timer = setInterval(() => {
    response.write(stream.subarray(at, at + pieceBytes))
    at = at + pieceBytes >= stream.length ? 0 : at + pieceBytes
  }, PIECE_MS)
  response.on('close', () => clearInterval(timer))
}

type Behaviour = (response: ServerResponse, socket: Socket) => void

/** A web server whose answer can be changed while it runs, and that counts who asked. */
async function openServer(port: number, behave: Behaviour) {
  const state = { behave, asked: 0, authorizations: new Set<string>() }
  const server = createServer((request, response) => {
    state.asked++
    state.authorizations.add(request.headers.authorization ?? '')
    state.behave(response, request.socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    state,
    /** Ends every connection; new ones are taken. */
    drop: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function runIngest(programId: string, url: string, leg: LocalLeg) {
  await site.run(programId, ingestUnit(parseInputUrl(url), leg, site.facts))
}

async function stopIngest(programId: string, url: string, leg: LocalLeg) {
  await site.stop(programId, ingestUnit(parseInputUrl(url), leg, site.facts))
}

test(
  'CHAN: a web server’s stream plays; the server is away at first, goes and comes back',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [port, leg] = [await freeTcpPort(), await newLeg()]
    const url = `tshttp://127.0.0.1:${port}/one/mpegts?token=t0ken`
    const ears = await hear(leg)
    const sizes = new Set<number>()
    ears.on('message', (datagram: Buffer) => sizes.add(datagram.length * 1000 + (datagram[0] ?? 0)))
    const { folder, programId } = await runPackager(site, 'ch-http-hls', leg)
    const packager = site.report(programId).pid
    await runIngest('ch-http-in', url, leg)
    await eventually(() => {
      const { peer, retries, cause } = site.report('ch-http-in')
      expect({ peer, retries, cause }).toMatchObject({
        peer: '',
        cause: expect.stringMatching(/refused/) as string,
      })
      expect(retries).toBeGreaterThan(0)
    })
    {
      await using _server = await openServer(port, sendStream)
      await untilDecodes(folder)
      await eventually(() => {
        expect(site.report('ch-http-in')).toMatchObject({
          peer: 'connected',
          cause: '',
          retries: 0,
        })
        expect(site.report('ch-http-in').reading?.bitrateKbps).toBeGreaterThan(0)
      })
    }
    await eventually(() => expect(site.report('ch-http-in').peer).toBe('disconnected'))
    await using _again = await openServer(port, sendStream)
    await untilDecodes(folder)
    await eventually(() => expect(site.report('ch-http-in').peer).toBe('connected'))
    expect(site.report(programId).pid).toBe(packager)
    // Seven whole packets a datagram, each with its first byte, whenever the server ended.
    expect([...sizes].map((size) => size % 1000)).toEqual([...sizes].map(() => 0x47))
    expect(sizes).toContain(1316 * 1000 + 0x47)
    ears.close()
    await stopIngest('ch-http-in', url, leg)
  },
)

/** Writes header lines without an end. */
function endlessHeaders(_response: ServerResponse, socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  const timer = setInterval(() => socket.write(`X-Line: ${'x'.repeat(500)}\r\n`), 5)
  socket.on('close', () => clearInterval(timer))
  socket.on('error', () => clearInterval(timer))
}

function redirectTo(location: string): Behaviour {
  return (response) => response.writeHead(302, { location }).end()
}

test(
  'CHAN: hostile and broken web servers read no file and stop nothing',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [port, leg] = [await freeTcpPort(), await newLeg()]
    const url = `http://ann:p-w_1@127.0.0.1:${port}/a.ts`
    const marker = 'this text must stay where it is'
    const secret = join(site.folder, 'secret.txt')
    writeFileSync(secret, marker.repeat(200))
    let isLeaked = false
    const ears = await hear(leg)
    ears.on('message', (datagram: Buffer) => (isLeaked ||= datagram.includes('must stay')))
    const { folder, programId } = await runPackager(site, 'ch-odd-hls', leg)
    const packager = site.report(programId).pid
    await using server = await openServer(port, redirectTo(`file://${secret}`))
    const { state } = server
    await runIngest('ch-odd-in', url, leg)
    const until = async (behave: Behaviour, times: number) => {
      const before = state.asked
      state.behave = behave
      await eventually(() => expect(state.asked).toBeGreaterThan(before + times))
    }
    await until(state.behave, 1)
    await until(redirectTo(`concat:${secret}`), 1)
    await until(redirectTo('ftp://127.0.0.1:1/x'), 1)
    await until((response) => response.writeHead(404).end('no'), 1)
    await eventually(() => expect(site.report('ch-odd-in').cause).toMatch(/404/))
    await until((response) => response.end('<html>no stream</html>'.repeat(1000)), 1)
    await until((response) => response.end(`#EXTM3U\n#EXTINF:1,\nfile://${secret}\n`), 1)
    await until((response) => response.writeHead(200).end(), 1)
    await until(
      (response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="a"' }).end(),
      2,
    )
    // Each try asks without the password first, and with it once the server wants one.
    const withPassword = `Basic ${Buffer.from('ann:p-w_1').toString('base64')}`
    await eventually(() => expect([...state.authorizations].toSorted()).toEqual(['', withPassword]))
    await eventually(() => expect(site.report('ch-odd-in').cause).toMatch(/refuses access/))
    expect(JSON.stringify(site.report('ch-odd-in'))).not.toContain('p-w_1')
    await until(endlessHeaders, 0)
    expect(site.report('ch-odd-in').peer).not.toBe('connected')
    state.behave = sendStream
    server.drop()
    await untilDecodes(folder)
    await eventually(() => expect(site.report('ch-odd-in').peer).toBe('connected'))
    expect(site.report(programId).pid).toBe(packager)
    expect(isLeaked).toBe(false)
    expect(processesNaming(`127.0.0.1:${port}/a.ts`)).toBe(1)
    ears.close()
    await stopIngest('ch-odd-in', url, leg)
  },
)
