/** Encoders and their feeders as text. */
import { z } from 'zod'
import { configFaultList } from '../encoders/effective-config.rules.ts'
import { EncoderConfig, Feeder } from '../encoders/encoder-config.schema.ts'
import { EncoderDraft } from '../encoders/encoder.schema.ts'
import { Id } from '../text.schema.ts'
import { parametersOf, parametersText } from './link-text.rules.ts'
import { listAt, resolveAll, resolveTitle, textsAt } from './place-text.rules.ts'
import { asIs, type KindText, noFaults } from './text-kind.ts'
import { type Fault, KEPT, type Tree } from './text-object.schema.ts'
import { isTree, plainAt, textAt } from './tree.rules.ts'

/** Without what the API makes of it: its name follows the card, and feeders are objects of their own. */
function configText(config: unknown): Tree | null {
  if (!isTree(config)) return null
  const { name: _1, feeder: _2, muxer, ...rest } = config
  const { 'pmt-period': _3, ...stored } = isTree(muxer) ? muxer : {}
  return { ...rest, muxer: stored }
}

function configFaultsOf({ config }: Tree): Fault[] {
  const { data } = EncoderConfig.safeParse(config)
  if (data === undefined) return []
  return configFaultList(data).map(({ field, sentence }) => ({
    field: `config.${field}`,
    sentence,
  }))
}

export const ENCODER_TEXT: KindText = {
  kind: 'encoder',
  keyOf: (text) => [plainAt(text, 'group'), plainAt(text, 'title')],
  textOf: (wire, names) => ({
    group: names.titleOf('group', plainAt(wire, 'groupId')),
    title: wire['title'],
    ip: wire['ip'],
    port: wire['port'],
    apiKey: wire['apiKeySet'] === true ? KEPT : '',
    description: wire['description'],
    location: wire['location'],
    physicalAddress: wire['physicalAddress'],
    contactNumber: wire['contactNumber'],
    email: wire['email'],
    users: textsAt(wire, 'users')
      .map((id) => names.titleOf('user', id))
      .toSorted(),
    config: configText(wire['config']),
  }),
  draftOf: ({ group, users, ...text }, resolve) => ({
    ...text,
    groupId: resolveTitle({ group }, 'group', 'group', resolve),
    users: resolveAll({ users }, 'users', 'user', resolve),
  }),
  schema: EncoderDraft.extend({
    groupId: Id,
    users: z.array(Id).max(1000),
    config: EncoderConfig.nullable().default(null),
  }),
  fieldNames: { groupId: 'group' },
  faultsBetween: configFaultsOf,
  settled: asIs,
  secret: 'apiKey',
  filledIn: [],
  fixed: {},
  fields: [
    'group',
    'title',
    'ip',
    'port',
    'apiKey',
    'description',
    'location',
    'physicalAddress',
    'contactNumber',
    'email',
    'users',
    'config',
  ],
}

function portOf(addr: unknown): number {
  return Number(String(addr).split(':')[1])
}

/** `wire`: a feeder, with `encoderId` beside its fields. */
export const FEEDER_TEXT: KindText = {
  kind: 'feeder',
  keyOf: (text) => [plainAt(text, 'group'), plainAt(text, 'encoder'), plainAt(text, 'title')],
  textOf: (wire, names) => {
    const encoderId = plainAt(wire, 'encoderId')
    const [target] = listAt(wire, 'output')
    const output = isTree(target) ? target : {}
    return {
      group: names.groupOf('encoder', encoderId),
      encoder: names.titleOf('encoder', encoderId),
      title: textAt(wire, 'input.title'),
      server: names.titleOf('server', plainAt(wire, 'serverId')),
      input: {
        addr: textAt(wire, 'input.addr'),
        multicast: textAt(wire, 'input.multicast'),
        max_bw: textAt(wire, 'input.max_bw'),
      },
      output: {
        addr: output['addr'],
        latency: output['latency'],
        max_bw: output['max_bw'],
        pbkeylen: output['pbkeylen'],
        passphrase: output['passphraseSet'] === true ? KEPT : '',
        adv_params: parametersText(listAt(output, 'adv_params')),
      },
    }
  },
  draftOf: ({ group, encoder, title, server, input, output, ...unknown }, resolve) => {
    const { adv_params: parameters, ...target } = isTree(output) ? output : {}
    const source = isTree(input) ? input : {}
    const encoderKey = [plainAt({ group }, 'group'), plainAt({ encoder }, 'encoder')]
    return {
      ...unknown,
      encoderId: resolve('encoder', 'encoder', encoderKey),
      serverId: resolveTitle({ server }, 'server', 'server', resolve),
      input: { ...source, title, port: portOf(source['addr']) },
      output: [
        {
          ...target,
          port: portOf(target['addr']),
          ...(parameters === undefined ? {} : { adv_params: parametersOf(parameters) }),
        },
      ],
    }
  },
  schema: Feeder.omit({ name: true }).extend({ encoderId: Id }),
  fieldNames: {
    encoderId: 'encoder',
    serverId: 'server',
    'input.title': 'title',
    'output.0': 'output',
  },
  faultsBetween: noFaults,
  settled: asIs,
  secret: 'output.passphrase',
  filledIn: [],
  fixed: {},
  fields: ['group', 'encoder', 'title', 'server', 'input', 'output'],
}
