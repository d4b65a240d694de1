/**
 * The only door to local storage (STORE-01 to STORE-09). Each entry is parsed when it is read: what
 * an older console or a curious operator left there must not break this one.
 */
import './zod-without-eval.ts'
import { TIMES } from '@trunkline/contract/session/display.schema'
import { SessionUser } from '@trunkline/contract/session/session.schema'
import { z } from 'zod'

export interface Entry<T> {
  readonly key: string
  /** As it is stored; null when nothing is. */
  text: () => string | null
  /** Null when there is none, or none that fits. */
  read: () => T | null
  write: (value: T) => void
  clear: () => void
}

/** A browser may forbid storage altogether; then everything lasts as long as the page. */
const memory = new Map<string, string>()

/** Where an entry lies: for all tabs and from day to day, or for this tab until it is closed. */
type Place = () => Storage
const browser: Place = () => localStorage
const tab: Place = () => sessionStorage

function rawRead(key: string, place: Place = browser): string | null {
  try {
    return place().getItem(key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

function rawWrite(key: string, text: string | null, place: Place = browser): void {
  if (text === null) memory.delete(key)
  try {
    if (text === null) place().removeItem(key)
    else place().setItem(key, text)
  } catch {
    if (text !== null) memory.set(key, text)
  }
}

/** Plain text, such as the token: stored as it is. */
function textEntry<T extends string>(key: string, schema: z.ZodType<T>): Entry<T> {
  return {
    key,
    text: () => rawRead(key),
    read: () => schema.safeParse(rawRead(key)).data ?? null,
    write: (value) => rawWrite(key, value),
    clear: () => rawWrite(key, null),
  }
}

function jsonEntry<T>(key: string, schema: z.ZodType<T>, place?: Place): Entry<T> {
  return {
    key,
    text: () => rawRead(key, place),
    read: () => schema.safeParse(parseJson(rawRead(key, place))).data ?? null,
    write: (value) => rawWrite(key, JSON.stringify(value), place),
    clear: () => rawWrite(key, null, place),
  }
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const ChosenId = z.string().max(64)
const TileKey = z.string().max(80)
/** By the id of the user. */
const KeysOfUsers = z.array(z.tuple([ChosenId, z.array(TileKey).max(64)])).max(64)
const SavedFilter = z.object({
  name: z.string().min(1).max(60),
  /** Search, filters and sorting, by their names in the address. */
  values: z.record(z.string().max(40), z.string().max(200)),
})
export type SavedFilter = z.output<typeof SavedFilter>
/** How somebody has arranged a list. */
const ListView = z.object({
  /** As the API takes it. */
  sort: z.string().max(40),
  /** Headings of the columns that are not shown. */
  hidden: z.array(z.string().max(40)).max(20).default([]),
  saved: z.array(SavedFilter).max(50).default([]),
})
export type ListView = z.output<typeof ListView>
/** By the id of the user, then by the name of the list. */
const ListViews = z.array(z.tuple([ChosenId, z.record(z.string().max(40), ListView)])).max(64)
const RowCount = z.number().int().min(0).max(500)

export const COLOR_SCHEMES = ['dark', 'light', 'auto'] as const
export type ColorScheme = (typeof COLOR_SCHEMES)[number]

export const storage = {
  user: jsonEntry('user', SessionUser),
  token: textEntry('token', z.string().min(1)),
  /** A sign-in that is under way at the provider: its secret, and the page that was asked for. */
  providerSignIn: jsonEntry(
    'provider-sign-in',
    z.object({ binding: z.string().max(100), from: z.string().max(2000) }),
    tab,
  ),
  /** Where the session at the provider is ended that the last sign-in of this browser came by. */
  providerSignOut: textEntry('provider-sign-out', z.string().regex(/^https?:\/\//)),
  /** Contributions filters (Q17). */
  groupId: textEntry('group-id', ChosenId),
  serverId: textEntry('server-id', ChosenId),
  outputFilterInputId: textEntry('output-filter-input-id', ChosenId),
  outputFilterDestinationId: textEntry('output-filter-destination-id', ChosenId),
  /** The last list of destinations (STORE-08); its owner parses it. */
  listDestinations: jsonEntry('list-destinations', z.array(z.unknown())),
  feederTab: jsonEntry('feeder-tab', z.boolean()),
  dashboardGroupId: textEntry('dashboard-group-id', ChosenId),
  encoderGroupId: textEntry('encoder-group-id', ChosenId),
  channelGroupId: textEntry('channel-group-id', ChosenId),
  pathGroupId: textEntry('path-group-id', ChosenId),
  channelServerId: textEntry('channel-server-id', ChosenId),
  /** Contributions; the dashboard's choices are others (CONST-02, CONST-04). */
  rowsPerPage: jsonEntry('rows-per-page', RowCount),
  /** Feeders of an encoder (FEED-01). */
  feederRowsPerPage: jsonEntry('feeder-rows-per-page', RowCount),
  dashboardRowsPerPage: jsonEntry('dashboard-rows-per-page', RowCount),
  /** Tables of people, places and activity. */
  tableRowsPerPage: jsonEntry('table-rows-per-page', RowCount),
  userGroupId: textEntry('user-group-id', ChosenId),
  serverGroupId: textEntry('server-group-id', ChosenId),
  /** What each user of this browser has on the wall, as 'channel:id' and 'encoder:id', newest user last. */
  wallTiles: jsonEntry('wall-tiles', KeysOfUsers),
  /** What each user of this browser opened last from the command palette, newest first, as 'input:id'. */
  recentObjects: jsonEntry('recent-objects', KeysOfUsers),
  /** How each user of this browser has sorted their lists, newest user last; filters and columns until they are moved to the account. */
  listViews: jsonEntry('list-views', ListViews),
  /** Filters and columns as the account of that user had them last, by the name of the list. */
  accountViews: jsonEntry('account-views', z.tuple([ChosenId, z.record(z.string(), ListView)])),
  singleKeys: jsonEntry('single-keys', z.boolean()),
  /** How this browser calls of a new alarm, and of which it has called last. */
  alarmSound: jsonEntry('alarm-sound', z.boolean()),
  alarmDesktop: jsonEntry('alarm-desktop', z.boolean()),
  announcedAlarms: jsonEntry('announced-alarms', z.array(ChosenId)),
  /** How this browser shows times, to an account that has not chosen. */
  times: textEntry('times', z.enum(TIMES)),
  colorScheme: textEntry('color-scheme', z.enum(COLOR_SCHEMES)),
}

/** Q18: filters belong to one account's groups; how many rows one likes to see does not. */
export function clearAccount(): void {
  const ofTheAccount = [
    storage.user,
    storage.token,
    storage.groupId,
    storage.serverId,
    storage.outputFilterInputId,
    storage.outputFilterDestinationId,
    storage.listDestinations,
    storage.feederTab,
    storage.accountViews,
    storage.dashboardGroupId,
    storage.encoderGroupId,
    storage.channelGroupId,
    storage.channelServerId,
    storage.pathGroupId,
    storage.userGroupId,
    storage.serverGroupId,
  ]
  for (const entry of ofTheAccount) entry.clear()
}

/** Whether what is stored is there again after the page is loaded again: the browser may forbid it. */
export function outlivesPage(): boolean {
  return memory.size === 0
}

/** Tells of changes made by other tabs of this browser; `key` is null when everything was cleared. */
export function onOtherTab(listener: (key: string | null, isRemoved: boolean) => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key !== null && event.newValue === null) memory.delete(event.key)
    listener(event.key, event.newValue === null)
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}
