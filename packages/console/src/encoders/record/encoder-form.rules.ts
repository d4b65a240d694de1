/** What the encoder dialog holds, when it is well, and what of it is sent. */
import {
  DEFAULT_ENCODER_PORT,
  type Encoder,
  NewEncoder,
} from '@trunkline/contract/encoders/encoder.schema'
import { hostKeyOf, isSameSeat } from '@trunkline/contract/servers/server.schema'
import { HostName } from '@trunkline/contract/text.schema'
import type { Sentences } from '../../forms/form.hook.ts'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import { MISSING, PORT_RANGE } from './encoder-record.messages.ts'

/** Q52; all as typed. */
export interface EncoderValues {
  title: string
  ip: string
  port: string
  /** '' keeps the stored one, or shares that of the same host. */
  apiKey: string
  /** Of a new encoder: its host is enrolled next, so that no key is typed. */
  enrols: boolean
  groupId: string
  email: string
  location: string
  physicalAddress: string
  contactNumber: string
  description: string
}

export const ENCODER_LABELS: Readonly<Record<keyof EncoderValues, string>> = {
  title: 'Title',
  ip: 'IP',
  port: 'Port',
  apiKey: 'API key',
  enrols: 'Enrol the host',
  groupId: 'Group',
  email: 'Email',
  location: 'Location',
  physicalAddress: 'Physical address',
  contactNumber: 'Contact number',
  description: 'Description',
}

/** `groupId`: a manager's first group; '' when it must be chosen. */
export function newEncoderValues(groupId: string): EncoderValues {
  return {
    title: '',
    ip: '',
    port: String(DEFAULT_ENCODER_PORT),
    apiKey: '',
    enrols: false,
    groupId,
    email: '',
    location: '',
    physicalAddress: '',
    contactNumber: '',
    description: '',
  }
}

/** The stored key is no part of a reply, so its field is empty (decisions.md 17). */
export function encoderValuesOf(encoder: Encoder): EncoderValues {
  const { title, ip, port, groupId, email, location, physicalAddress } = encoder
  const { contactNumber, description } = encoder
  return {
    title,
    ip,
    port: String(port),
    apiKey: '',
    enrols: false,
    groupId,
    email,
    location,
    physicalAddress,
    contactNumber,
    description,
  }
}

/** ENC-23. `needsKey`: a new host, and the operator may set a key (Q37). */
export function missingFields(
  values: EncoderValues,
  needsKey: boolean,
): readonly (keyof typeof MISSING)[] {
  const required: readonly (keyof typeof MISSING)[] = ['title', 'ip', 'port', 'groupId']
  const asked = needsKey ? [...required, 'apiKey' as const] : required
  return asked.filter((name) => values[name].trim() === '')
}

export function checkEncoder(values: EncoderValues, needsKey: boolean): Sentences<EncoderValues> {
  const faults = fieldFaults(NewEncoder, bodyOf(values), ENCODER_LABELS)
  if (faults.port !== undefined) faults.port = PORT_RANGE
  for (const name of missingFields(values, needsKey)) faults[name] = MISSING[name]
  return faults
}

/** What is sent of a new encoder, and of a change. */
export function bodyOf({ enrols, ...plain }: EncoderValues) {
  return enrols ? { ...plain, enrols, apiKey: '' } : plain
}

/** What is asked for when the key of a host is looked for; '' for no host. */
export function hostOfValues({ ip }: Pick<EncoderValues, 'ip'>): string {
  return HostName.safeParse(ip).data?.toLowerCase() ?? ''
}

/** Whether what is typed is the address that this encoder has. */
export function isAtHostOf(
  encoder: Encoder,
  { ip, port }: Pick<EncoderValues, 'ip' | 'port'>,
): boolean {
  return isSameSeat({ ip: ip.trim(), port: Number(port) }, encoder)
}

/** The encoder whose key a new encoder shares: same host, same key (decisions.md 7). */
export function neighbourOf(
  values: Pick<EncoderValues, 'ip' | 'port'>,
  encoders: readonly Encoder[],
): Encoder | null {
  const host = hostKeyOf(values.ip.trim())
  const port = Number(values.port)
  return encoders.find((encoder) => hostKeyOf(encoder.ip) === host && encoder.port === port) ?? null
}
