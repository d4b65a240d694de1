/** The console behind https, as a proxy in front of it would serve it; with a certificate of the moment. */
import { createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

export interface TlsConsole extends AsyncDisposable {
  /** https://127.0.0.1:port */
  readonly url: string
}

/** Everything passes through to `target`, an address without a path. */
export async function openTlsConsole(target: string): Promise<TlsConsole> {
  const { hostname, port } = new URL(target)
  const server = https.createServer(selfSigned(), (request, response) => {
    const { method, url, headers } = request
    const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const isClosed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await isClosed
    },
  }
}

/** A key and an X.509 certificate for it, valid for this day alone; no file is written. */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = certificate(privateKey, publicKey)
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

/** RFC 5280, 4.1: what is signed, by what, and the signature. */
function certificate(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256))
  const name = sequence(
    tagged(SET, sequence(objectId(COMMON_NAME), tagged(UTF8, Buffer.from('console')))),
  )
  const dayMs = 86_400_000
  const validity = sequence(utcTime(Date.now() - dayMs), utcTime(Date.now() + dayMs))
  const content = sequence(
    tagged(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(content).sign(privateKey)
  return sequence(content, algorithm, tagged(BIT_STRING, Buffer.concat([Buffer.of(0), signature])))
}

const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_ID = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
/** 1.2.840.10045.4.3.2, RFC 5758. */
const ECDSA_WITH_SHA256 = Buffer.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)
/** 2.5.4.3. */
const COMMON_NAME = Buffer.of(0x55, 0x04, 0x03)

/** Tag, length, value, as DER has them (ITU-T X.690). */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value
  const head =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100]
  return Buffer.concat([Buffer.of(tag, ...head), value])
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(SEQUENCE, Buffer.concat(parts))
}

function objectId(value: Buffer): Buffer {
  return tagged(OBJECT_ID, value)
}

/** '261122093000Z'. */
function utcTime(timeMs: number): Buffer {
  const text = new Date(timeMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return tagged(UTC_TIME, Buffer.from(text.slice(2)))
}
