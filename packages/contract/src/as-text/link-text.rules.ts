/** Destinations, inputs and outputs as text. */
import { DestinationDraft } from '../contributions/destination.schema.ts'
import { InputConfig, InputDraft } from '../contributions/input.schema.ts'
import { destinationFaults, inputFaults, outputFaults } from '../contributions/link.rules.ts'
import type { Encryption } from '../contributions/link.schema.ts'
import { OutputConfig, OutputDraft, SecondPath } from '../contributions/output.schema.ts'
import { settledInput, settledKey, settledOutput } from '../contributions/settled-link.rules.ts'
import { listAt, resolveTitle } from './place-text.rules.ts'
import type { SiteNames } from './site-names.ts'
import { type KindText } from './text-kind.ts'
import { KEPT, type Tree } from './text-object.schema.ts'
import { isTree, plainAt, textAt } from './tree.rules.ts'

/** Of parameters with a name each: {maxbw: '0'}. */
export function parametersText(list: readonly unknown[]): Tree {
  return Object.fromEntries(list.filter(isTree).map(({ key, value }) => [String(key), value]))
}

/** What is no mapping is left for the schema to refuse. */
export function parametersOf(text: unknown): unknown {
  if (!isTree(text)) return text
  return Object.entries(text).map(([key, value]) => ({
    key,
    // A file may have 1316 where the wire has '1316'.
    value: typeof value === 'number' ? String(value) : value,
  }))
}

function encryptionText(wire: Tree): Tree {
  return {
    selection: textAt(wire, 'encryption.selection'),
    type: textAt(wire, 'encryption.type'),
    passphrase: textAt(wire, 'encryption.passphraseSet') === true ? KEPT : '',
  }
}

/** Ports of SRT links are text on the wire (Q168). */
function configText(wire: Tree): Tree {
  const config = isTree(wire['config']) ? wire['config'] : {}
  return { ...config, port: Number(config['port']) }
}

export const DESTINATION_TEXT: KindText = {
  kind: 'destination',
  keyOf: (text) => [plainAt(text, 'group'), plainAt(text, 'title')],
  textOf: (wire, names) => ({
    group: names.titleOf('group', plainAt(wire, 'groupId')),
    title: wire['title'],
    ip: wire['ip'],
    encryption: encryptionText(wire),
  }),
  draftOf: ({ group, ...text }, resolve) => ({
    ...text,
    groupId: resolveTitle({ group }, 'group', 'group', resolve),
  }),
  schema: DestinationDraft,
  fieldNames: { groupId: 'group' },
  faultsBetween: (draft) => destinationFaults({ ip: plainAt(draft, 'ip') }),
  settled: (draft) => ({ ...draft, encryption: settledKey(draft['encryption'] as Encryption) }),
  secret: 'encryption.passphrase',
  filledIn: [],
  fixed: {},
  fields: [
    'group',
    'title',
    'ip',
    'encryption.selection',
    'encryption.type',
    'encryption.passphrase',
  ],
}

/** Of the schemas, so that a new field is in every text at once. */
const INPUT_CONFIG_FIELDS = Object.keys(InputConfig.shape).map((name) => `config.${name}`)
const OUTPUT_CONFIG_FIELDS = Object.keys(OutputConfig.shape).flatMap((name) =>
  name === 'secondPath'
    ? Object.keys(SecondPath.shape).map((part) => `config.secondPath.${part}`)
    : [`config.${name}`],
)

const KEY_FIELDS = ['encryption.selection', 'encryption.type', 'encryption.passphrase']

export const INPUT_TEXT: KindText = {
  kind: 'input',
  keyOf: (text) => [plainAt(text, 'group'), plainAt(text, 'title')],
  textOf: (wire, names) => ({
    group: names.titleOf('group', plainAt(wire, 'groupId')),
    title: wire['title'],
    server: names.titleOf('server', plainAt(wire, 'serverId')),
    inputType: wire['inputType'],
    config: configText(wire),
    encryption: encryptionText(wire),
    advanced: parametersText(listAt(wire, 'advanced')),
  }),
  draftOf: ({ group, server, advanced, ...text }, resolve) => ({
    ...text,
    groupId: resolveTitle({ group }, 'group', 'group', resolve),
    serverId: resolveTitle({ server }, 'server', 'server', resolve),
    ...(advanced === undefined ? {} : { advanced: parametersOf(advanced) }),
  }),
  schema: InputDraft,
  fieldNames: { groupId: 'group', serverId: 'server' },
  faultsBetween: (draft) => inputFaults(draft as InputDraft),
  settled: (draft) => ({ ...settledInput(draft as InputDraft) }),
  secret: 'encryption.passphrase',
  filledIn: ['config.multicast', 'config.multicastPort'],
  fixed: { server: 'An input is moved to another server by Change server in the console.' },
  fields: [
    'group',
    'title',
    'server',
    'inputType',
    ...INPUT_CONFIG_FIELDS,
    ...KEY_FIELDS,
    'advanced',
  ],
}

/** Where a destination lies: in the group of its output where the text names no other. */
function destinationId(text: Tree, resolve: Parameters<KindText['draftOf']>[1]): string | null {
  const title = plainAt(text, 'destination')
  if (title === '') return null
  const group = plainAt(text, 'destinationGroup') || plainAt(text, 'group')
  return resolve('destination', 'destination', [group, title])
}

function destinationText(wire: Tree, group: string, names: SiteNames): Tree {
  const id = plainAt(wire, 'destinationId')
  const ofDestination = id === '' ? '' : names.groupOf('destination', id)
  return {
    destination: names.titleOf('destination', id),
    destinationGroup: ofDestination === group ? '' : ofDestination,
  }
}

export const OUTPUT_TEXT: KindText = {
  kind: 'output',
  keyOf: (text) => [plainAt(text, 'group'), plainAt(text, 'input'), plainAt(text, 'title')],
  textOf: (wire, names) => {
    const inputId = plainAt(wire, 'contributionId')
    const group = names.groupOf('input', inputId)
    return {
      group,
      input: names.titleOf('input', inputId),
      title: wire['title'],
      ...destinationText(wire, group, names),
      inputType: wire['inputType'],
      config: configText(wire),
      encryption: encryptionText(wire),
      advanced: parametersText(listAt(wire, 'advanced')),
    }
  },
  draftOf: (text, resolve) => {
    const { group, input, destination: _1, destinationGroup: _2, advanced, ...rest } = text
    const title = plainAt({ input }, 'input')
    const inputKey = [plainAt({ group }, 'group'), title]
    return {
      ...rest,
      contributionId: title === '' ? '' : resolve('input', 'input', inputKey),
      destinationId: destinationId(text, resolve),
      ...(advanced === undefined ? {} : { advanced: parametersOf(advanced) }),
    }
  },
  schema: OutputDraft,
  fieldNames: { contributionId: 'input', destinationId: 'destination' },
  faultsBetween: (draft) => outputFaults(draft as OutputDraft),
  settled: (draft) => ({ ...settledOutput(draft as OutputDraft) }),
  secret: 'encryption.passphrase',
  filledIn: ['config.host'],
  fixed: {},
  fields: [
    'group',
    'input',
    'title',
    'destination',
    'destinationGroup',
    'inputType',
    ...OUTPUT_CONFIG_FIELDS,
    ...KEY_FIELDS,
    'advanced',
  ],
}
