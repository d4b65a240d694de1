/** npm itself asks a registry of this test. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { root } from '../setup.mjs'
import { knownFaults, stoppingFaults } from './audit.mjs'

const ADVISORIES = '/-/npm/v1/security/advisories/bulk'

const HIGH = {
  // npm remembers what it knows of an advisory.
  id: randomInt(1e9, 1e12),
  url: 'https://advisories.example/GHSA-aaaa-bbbb-cccc',
  title: 'It reads what it should not',
  severity: 'high',
  vulnerable_versions: '<9999.0.0',
}

/** Answers the names of the packages that it was asked about. */
async function openRegistry(status: number, advisories: object): Promise<() => string[]> {
  let asked: string[] = []
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await buffer(request)
    const isAsked = request.url === ADVISORIES
    if (isAsked) asked = Object.keys(JSON.parse(textOf(body)) as object)
    reply.writeHead(isAsked ? status : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(isAsked ? advisories : {}))
  }
  const server = createServer((request, reply) => void answer(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  vi.stubEnv('npm_config_fetch_retries', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  return () => asked
}

function textOf(body: Buffer): string {
  return (body[0] === 0x1f ? gunzipSync(body) : body).toString('utf8')
}

test('T21 a fault of what is shipped keeps a release back, with its name, until it is accepted', async () => {
  const askedAbout = await openRegistry(200, { react: [HIGH], knip: [HIGH] })
  const faults = await knownFaults(root)
  expect(askedAbout()).toEqual(expect.arrayContaining(['react', 'fastify', 'zod', 'ws']))
  const shipped = new Set(['react', 'fastify'])
  expect(stoppingFaults(faults, shipped, new Set())).toEqual([
    'react (high): It reads what it should not, GHSA-aaaa-bbbb-cccc',
  ])
  expect(stoppingFaults(faults, shipped, new Set(['GHSA-aaaa-bbbb-cccc']))).toEqual([])
})

test('T21 a fault of a low severity keeps no release back', async () => {
  await openRegistry(200, { react: [{ ...HIGH, id: HIGH.id + 1, severity: 'low' }] })
  const faults = await knownFaults(root)
  expect(Object.keys(faults)).toContain('react')
  expect(stoppingFaults(faults, new Set(['react']), new Set())).toEqual([])
})

test('T21 a registry that does not say is no registry that knows of nothing', async () => {
  await openRegistry(405, {})
  await expect(knownFaults(root)).rejects.toThrow(/npm audit says '.*405/)
})
