/** `trunkline encoder`, `feeder`, `input`, `output`, `channel` and `server`. */
import { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import { clientConfig } from '../../config.ts'
import { CallRefused, makeApiCall } from '../api.client.ts'
import { COMMAND_NAME, readArguments, UsageFault, verbFault, type Command } from '../command.ts'
import { interruptionSentence } from '../interruption.ts'
import { findObject, listObjects, type Listed } from './listed-objects.ts'
import { readStates } from './live-states.client.ts'
import { act, ACTIONS_OF, type Action } from './object-actions.ts'
import { longState, shortState, type ShownState, stateOf } from './object-state.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  search: { type: 'string' },
  'interrupt-on-air': { type: 'string', multiple: true },
} as const
type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values']

export const objectCommands: readonly Command[] = SiteKind.options.map((kind) => ({
  noun: kind,
  help: helpOf(kind),
  run: async (args) => runObject(kind, args),
}))

function helpOf(kind: SiteKind): string {
  const list = `  ${COMMAND_NAME} ${kind} list [--search <text>] [--json]
  ${COMMAND_NAME} ${kind} show <title or id> [--json]
`
  const actions = ACTIONS_OF[kind].filter((action) => action !== 'switch')
  const does =
    actions.length === 0
      ? ''
      : `  ${COMMAND_NAME} ${kind} ${actions.join('|')} <title or id> [--interrupt-on-air <title>]\n`
  const switches =
    kind === 'channel'
      ? `  ${COMMAND_NAME} channel switch <title or id> <number of the source, from 1>\n`
      : ''
  return kind === 'encoder'
    ? `${list}${does}      The states are those of the console, cut short in the table: show and --json have all of them.
      A token of scope 'Read and commands' starts, stops, restarts and switches; to enable or disable
      takes a full one.
`
    : `${list}${does}${switches}`
}

async function runObject(kind: SiteKind, args: readonly string[]): Promise<string> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [verb, ...named] = positionals
  if (verb === 'list') return list(kind, named, values)
  if (verb === 'show') return show(kind, onlyName(kind, named), values)
  const action = ACTIONS_OF[kind].find((action) => action === verb)
  if (action !== undefined) return command(kind, action, named, values)
  throw verbFault(kind, verb, ['list', 'show', ...ACTIONS_OF[kind]])
}

function onlyName(kind: SiteKind, named: readonly string[]): string {
  const [name, ...more] = named
  if (name === undefined || name.trim() === '' || more.length > 0) {
    throw new UsageFault(`Name one ${kind}, by its title in quotes or by its id.`)
  }
  return name
}

async function list(
  kind: SiteKind,
  named: readonly string[],
  { search = '', json = false }: Values,
): Promise<string> {
  if (named.length > 0) throw new UsageFault('list takes no name: use --search.')
  const config = clientConfig()
  const objects = await listObjects(makeApiCall(config, []), kind, search)
  const states = await shownStates(objects)
  const rows = objects.map((object, at) => ({ object, state: states[at] as ShownState }))
  if (json) return `${JSON.stringify(rows.map(wireOf), null, 2)}\n`
  return tableText(
    ['STATE', 'TITLE', 'WHERE', 'ID'],
    rows.map(({ object: { title, where, id }, state }) => [shortState(state), title, where, id]),
  )
}

async function show(kind: SiteKind, name: string, { json = false }: Values): Promise<string> {
  const object = await findObject(makeApiCall(clientConfig(), []), kind, name)
  const [state] = (await shownStates([object])) as [ShownState]
  return json ? `${JSON.stringify(wireOf({ object, state }), null, 2)}\n` : lineOf(object, state)
}

async function command(
  kind: SiteKind,
  action: Action,
  named: readonly string[],
  { 'interrupt-on-air': titles = [] }: Values,
): Promise<string> {
  const source = action === 'switch' ? sourceOf(named.at(-1)) : null
  const name = onlyName(kind, source === null ? named : named.slice(0, -1))
  const call = makeApiCall(clientConfig(), titles)
  const object = await findObject(call, kind, name)
  try {
    await act(call, object, action, source)
  } catch (error) {
    throw interruptionOf(error, titles) ?? error
  }
  // What was read before the command may have changed with it.
  const after = await findObject(call, kind, object.id)
  const [state] = (await shownStates([after])) as [ShownState]
  return lineOf(after, state)
}

function sourceOf(typed: string | undefined): number {
  if (!/^[1-9]\d?$/.test(typed ?? ''))
    throw new UsageFault('Name the source by its number, from 1.')
  return Number(typed)
}

/** Null for what was not refused because something is on air. */
function interruptionOf(error: unknown, titles: readonly string[]): Error | null {
  if (!(error instanceof CallRefused) || error.failure?.code !== 'on_air') return null
  const { data } = OnAirRefusal.safeParse(error.failure.onAir)
  const sentence = data === undefined ? '' : interruptionSentence([data], titles)
  return sentence === '' ? null : new Error(sentence)
}

async function shownStates(objects: readonly Listed[]): Promise<ShownState[]> {
  const keys = [...new Set(objects.flatMap(({ watchKeys }) => watchKeys))]
  const states = await readStates(clientConfig(), keys)
  const nowMs = Date.now()
  return objects.map((object) => stateOf(object, states, nowMs))
}

function lineOf({ title }: Listed, state: ShownState): string {
  return `${title}: ${longState(state)}\n`
}

function wireOf({ object, state }: { object: Listed; state: ShownState }) {
  const { kind, id, title, where, wire } = object
  return { ...wire, kind, id, title, where, state }
}

/** Rows as a table of a terminal: columns as wide as their longest cell, two spaces between them. */
function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length)))
  const text = lines.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${text.join('\n')}\n`
}
