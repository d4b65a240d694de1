import { createServer } from 'node:http'
import { health } from '@trunkline/contract/fleet/fleet.calls'
import { addGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import { ADDITION_KEY_HEADER } from '@trunkline/contract/route'
import { expect, onTestFinished, test } from 'vitest'
import { makeApiCall } from './api.client.ts'

const GROUP = { title: 'West', description: '', manager: 'm' }

/** Carries out what it is sent, and loses the first answer. Answers the keys that it was sent. */
async function openLossyApi() {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers[ADDITION_KEY_HEADER])
    if (keys.length === 1) return void request.socket.destroy()
    const failure = { status: false, error: 'There is such a group.', msg: '', code: 'conflict' }
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(failure))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { keys, call: makeApiCall({ url: `http://127.0.0.1:${port}`, token: 'trk' }, []) }
}

test('F9 a shell adds an object once although the answer is lost, and sends no other change again', async () => {
  const adding = await openLossyApi()
  await expect(adding.call(addGroup, { body: GROUP })).rejects.toThrow('There is such a group.')
  expect(adding.keys).toHaveLength(2)
  expect(adding.keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(adding.keys[1]).toBe(adding.keys[0])

  const changing = await openLossyApi()
  const change = { params: { id: 'g' }, body: { title: 'East' } }
  await expect(changing.call(updateGroup, change)).rejects.toThrow('does not answer')
  expect(changing.keys).toEqual([undefined])
  const asking = await openLossyApi()
  await expect(asking.call(health, {})).rejects.toThrow(
    'does not answer by HTTP (UND_ERR_SOCKET). If it uses TLS, give TRUNKLINE_URL with https://.',
  )
})

test('an answer of something else, or without TLS, is an error that says what to do', async () => {
  const server = createServer((_, response) => void response.writeHead(403).end('Forbidden'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const place = `127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  const ask = async (url: string) => makeApiCall({ url, token: 'trk' }, [])(health, {})
  await expect(ask(`http://${place}`)).rejects.toThrow(
    `http://${place} answered 403, but not as the API of Trunkline does: something else is there, or a proxy refused the call. Check TRUNKLINE_URL.`,
  )
  await expect(ask(`https://${place}`)).rejects.toThrow(
    `https://${place} does not use TLS (ERR_SSL_WRONG_VERSION_NUMBER). Give TRUNKLINE_URL with http://`,
  )
})

test('a page in place of an answer, and a redirection to another address, are named as such', async () => {
  let location = ''
  const server = createServer((_, response) => {
    if (location === '') return void response.end('<html>Welcome</html>')
    response.writeHead(301, { location }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  const call = makeApiCall({ url, token: 'trk' }, [])
  await expect(call(health, {})).rejects.toThrow(
    `${url} answered 200, but not as the API of Trunkline does`,
  )
  location = 'https://console.example/api/health'
  await expect(call(health, {})).rejects.toThrow(
    `${url} redirects calls to https://console.example. If the console is there, give TRUNKLINE_URL that address.`,
  )
  location = '/login'
  await expect(call(health, {})).rejects.toThrow(`${url} answered 301, but not as the API`)
})

test('a call that comes too soon after others waits as long as the API says, and is made again', async () => {
  const statuses = [429, 429, 409]
  const server = createServer((_, response) => {
    const failure = { status: false, error: 'Too many calls.', msg: '', code: 'too_many' }
    const headers = { 'content-type': 'application/json', 'retry-after': '0.01' }
    response.writeHead(statuses.shift() ?? 500, headers).end(JSON.stringify(failure))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const call = makeApiCall({ url: `http://127.0.0.1:${port}`, token: 'trk' }, [])
  await expect(call(health, {})).rejects.toMatchObject({ httpStatus: 409 })
  expect(statuses).toEqual([])
})
