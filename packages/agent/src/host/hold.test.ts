import { expect, test } from 'vitest'
import { freeTcpPort, freeUdpPort } from '../agent.fixture.ts'
import { holdName } from './hold.ts'

test('a name lock has a single holder', async () => {
  const name = `test of ${process.pid}`
  const first = await holdName(name)
  expect(await holdName(name)).toBeNull()
  await first?.[Symbol.asyncDispose]()
  await using again = await holdName(name)
  expect(again).not.toBeNull()
})

test('a port for a test is given to no other process of tests', async () => {
  expect(await holdName(`udp-port-${await freeUdpPort()}`)).toBeNull()
  expect(await holdName(`tcp-port-${await freeTcpPort()}`)).toBeNull()
})
