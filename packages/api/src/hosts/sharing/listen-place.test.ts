import { expect, test } from 'vitest'
import { listenPlaceTowards } from './listen-place.ts'

test.each([
  ['postgres://u:p@127.0.0.1:5432/db'],
  ['postgres://u:p@127.0.0.1/db'],
  ['postgres:///db?host=/run/postgresql'],
  ['postgres://u:p@%2Frun%2Fpostgresql/db'],
])('%s is of this machine: any free port of loopback', async (url) => {
  expect(await listenPlaceTowards(url, null)).toEqual({ ip: '127.0.0.1', port: 0 })
})

test('what the setting names goes first', async () => {
  const place = await listenPlaceTowards('postgres://db.example/db', '10.0.0.5:7400')
  expect(place).toEqual({ ip: '10.0.0.5', port: 7400 })
})
