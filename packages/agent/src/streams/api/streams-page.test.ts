/** The calls of docs/operate/8-channels.md, run in a shell as they stand there, against a channel server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeUdpPort, shared } from '../../agent.fixture.ts'
import { KEY, openStreamSite } from '../stream-site.fixture.ts'

const PAGE = join(import.meta.dirname, '../../../../../docs/operate/8-channels.md')
const CURL = `curl() { command curl --write-out '\\nstatus %{http_code}\\n' "$@"; }\n`

/** Each call is answered once it is kept: starting the programs of one after the other takes a minute. */
const site = shared(async () => openStreamSite('open', 0))

/** With ports that nobody else has, and what listens on this machine alone. */
async function scriptOfPage(server: string): Promise<string> {
  const page = readFileSync(PAGE, 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1])
  let script = blocks
    .join('')
    .replace('http://192.0.2.10:8020', server)
    .replace('a-long-random-key', KEY)
    .replaceAll('192.0.2.10', '127.0.0.1')
  for (const port of new Set(script.match(/(?<=:(?:\/\/@?)?:)60\d\d|(?<=@:)60\d\d|5002/g))) {
    script = script.replaceAll(port, String(await freeUdpPort()))
  }
  return script
}

test('the calls of the page put, switch, list and delete streams', async () => {
  const server = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const child = spawn('sh', ['-c', CURL + (await scriptOfPage(server))])
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
  await once(child, 'close')
  const statuses = [...out.matchAll(/^status (\d+)$/gm)].map(([, status]) => status)
  expect(statuses.filter((status) => !['200', '204'].includes(status ?? ''))).toEqual([])
  expect(statuses).toHaveLength(17)
  const names = site.streams.list().map(({ name }) => name)
  expect(names.toSorted()).toEqual(['city', 'local', 'news', 'remote', 'satellite', 'sport'])
})
