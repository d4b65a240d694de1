import { expect, test } from 'vitest'
import {
  CAMERAS,
  CHANNELS,
  GROUPS,
  HOSTS,
  INPUTS,
  OUTPUTS,
  PEOPLE,
  SMALL_FLEET,
  WHOLE_FLEET,
  type Fleet,
} from './fleet.ts'

test('the training site has three hosts, twelve encoders, thirty links, six channels and three groups', () => {
  expect([HOSTS.length, CAMERAS.length, CHANNELS.length, GROUPS.length]).toEqual([3, 12, 6, 3])
  expect(INPUTS.length + OUTPUTS.length).toBe(30)
  for (const group of GROUPS) {
    const roles = PEOPLE.filter((person) => person.group === group).map(({ role }) => role)
    expect(roles).toEqual(['manager', 'editor', 'monitor'])
  }
})

test('its links are in different states of health', () => {
  const called = new Set([...CAMERAS.map(({ feeds }) => feeds), ...OUTPUTS.map(({ to }) => to)])
  const calledByNobody = INPUTS.filter(({ title, type }) => type !== 'bus' && !called.has(title))
  expect(calledByNobody.map(({ title }) => title)).toEqual(['North truck'])
  const wrongKeys = INPUTS.filter(({ passphrase }) => passphrase === 'other')
  expect(wrongKeys.map(({ title }) => title)).toEqual(['From North 3'])
  const lossy = OUTPUTS.filter(({ relay }) => (relay?.lossPercent ?? 0) > 0)
  expect(lossy.map(({ title }) => title)).toEqual(['South 2 to Playout'])
  const latencyMs = INPUTS.find(({ title }) => title === lossy[0]?.to)?.latencyMs ?? Infinity
  expect(latencyMs).toBeLessThan(2 * (lossy[0]?.relay?.delayMs ?? 0))
  const stopped = OUTPUTS.filter(({ isStarted }) => !isStarted)
  expect(stopped.map(({ title }) => title)).toEqual(['South 4 overseas'])
})

test.each<[string, Fleet]>([
  ['whole', WHOLE_FLEET],
  ['small', SMALL_FLEET],
])('in the %s fleet every called name has a receiver, and no port is used twice', (_, fleet) => {
  const { hosts, cameras, inputs, outputs, channels } = fleet
  const sources = channels.flatMap((channel) => channel.sources)
  const receivers = [...inputs.map(({ title }) => title), ...sources.map(({ name }) => name)]
  const called = [...cameras.map(({ feeds }) => feeds), ...outputs.map(({ to }) => to)]
  const names = called.filter((name) => typeof name === 'string')
  expect(names.filter((name) => !receivers.includes(name))).toEqual([])
  expect(outputs.filter(({ of }) => !receivers.includes(of))).toEqual([])
  const farEnds = outputs.flatMap(({ to }) => (typeof to === 'string' ? [] : [to.farEnd]))
  const seats = hosts.flatMap((host) => [
    host.encoderSeat,
    host.gatewaySeat,
    ...(host.streamSeat === null ? [] : [host.streamSeat]),
    ...(host.streamDoor === null ? [] : [host.streamDoor]),
  ])
  const local = Array.from(cameras, (_camera, at) => 10 + at)
  const links = [...inputs, ...sources].map(({ port }) => port)
  const ports = [...seats, ...local, ...links, ...farEnds]
  expect(new Set(ports).size).toBe(ports.length)
  expect(Math.max(...ports)).toBeLessThan(100)
})
