import { expect, test } from 'vitest'
import { encoderOf } from '../../test/samples.ts'
import {
  checkEncoder,
  encoderValuesOf,
  hostOfValues,
  missingFields,
  neighbourOf,
  newEncoderValues,
} from './encoder-form.rules.ts'

const WELL = {
  ...newEncoderValues('north'),
  title: 'Stadium South',
  ip: '10.20.4.11',
  apiKey: 'a-key-of-a-host',
}

test('ENC-25 a new encoder begins on port 8000', () => {
  expect(newEncoderValues('').port).toBe('8000')
})

test.each(['title', 'apiKey', 'ip', 'port', 'groupId'] as const)(
  'ENC-23 without %s it is not sent',
  (name) => {
    const values = { ...WELL, [name]: ' ' }
    expect(checkEncoder(WELL, true)).toEqual({})
    expect(missingFields(values, true)).toEqual([name])
    expect(checkEncoder(values, true)[name]).toMatch(/^(Type|Choose) .+\.$/)
  },
)

test('Q37 the key is not required from a role that may not set it, nor on a host that has one', () => {
  expect(checkEncoder({ ...WELL, apiKey: '' }, false)).toEqual({})
})

test('an invalid address, port or e-mail is shown at its field', () => {
  const faults = checkEncoder(
    { ...WELL, ip: 'http://10.20.4.11', port: '0', email: 'nobody', apiKey: 'short' },
    true,
  )
  expect(faults).toMatchObject({
    ip: 'IP must be a host name or an IPv4 address, without scheme, port or spaces.',
    port: 'Must be 1 to 65535.',
    email: 'Please enter a valid email',
  })
  expect(faults.apiKey).toMatch(/^API key must be 8 to 256 characters/)
})

test('decisions 7 the neighbour is the encoder of the same host and port', () => {
  const encoders = [
    encoderOf('a', { ip: 'Host-1.example', port: 8000 }),
    encoderOf('b', { ip: '10.20.4.11', port: 8001 }),
  ]
  expect(neighbourOf({ ip: ' host-1.example', port: '8000' }, encoders)?._id).toBe('a')
  expect(neighbourOf({ ip: '10.20.4.11', port: '8000' }, encoders)).toBeNull()
  expect(hostOfValues({ ip: ' Host-1.example ' })).toBe('host-1.example')
  expect(hostOfValues({ ip: 'no host' })).toBe('')
})

test('ENC-14 ENC-28 every field of the record is there to edit, the key is not', () => {
  const record = {
    title: 'Stadium South',
    ip: '10.20.4.11',
    email: 'ob@trunkline.example',
    location: 'Gate 4',
    physicalAddress: '1 Stadium Way',
    contactNumber: '+44 20 7946 0000',
    description: 'On the roof.',
    groupId: 'south',
  }
  const encoder = encoderOf('a', { ...record, port: 8010, version: 7 })
  const values = { ...record, port: '8010', apiKey: '', enrols: false }
  expect(encoderValuesOf(encoder)).toEqual(values)
})
