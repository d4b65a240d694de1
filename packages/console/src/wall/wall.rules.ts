/** What is on a wall and how it is laid out, decided from data alone. */

export type TileKind = 'channel' | 'encoder'

/** 'channel:id' or 'encoder:id': what is remembered, and the only thing. */
export type TileKey = `${TileKind}:${string}`

/** Four by four: on a desk screen a picture is then 270 px wide, less is no picture any more. */
export const MAX_TILES = 16
/** What a wall shows before anybody has chosen: three by three. */
const FIRST_TILES = 9
/** Of these so many stay for encoders, if there are any. */
const FIRST_ENCODERS = 3

export function tileKey(kind: TileKind, id: string): TileKey {
  return `${kind}:${id}`
}

/** The ids of one kind among the keys; what is no key of a tile is none. */
export function idsOf(kind: TileKind, keys: readonly string[]): string[] {
  const start = `${kind}:`
  return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length))
}

export function firstTiles(channelIds: readonly string[], encoderIds: readonly string[]) {
  const kept = Math.min(FIRST_ENCODERS, encoderIds.length)
  const channels = channelIds.slice(0, FIRST_TILES - kept)
  return [
    ...channels.map((id) => tileKey('channel', id)),
    ...encoderIds.slice(0, FIRST_TILES - channels.length).map((id) => tileKey('encoder', id)),
  ]
}

/** One place to the left (-1) or right (1); at the end it stays. */
export function moved<T>(keys: readonly T[], key: T, step: -1 | 1): readonly T[] {
  const from = keys.indexOf(key)
  const to = from + step
  if (from === -1 || to < 0 || to >= keys.length) return keys
  const rest = keys.toSpliced(from, 1)
  return rest.toSpliced(to, 0, key)
}

/** Those of `chosen` that were there stay where they are, the new ones follow. */
export function inOldOrder<T>(before: readonly T[], chosen: readonly T[]): readonly T[] {
  const wanted = new Set(chosen)
  const known = new Set(before)
  return [...before.filter((key) => wanted.has(key)), ...chosen.filter((key) => !known.has(key))]
}

export interface Size {
  widthPx: number
  heightPx: number
}

export interface Layout {
  columns: number
  /** Of each tile where all rows share the height that there is; null where the wall scrolls. */
  tilePx: number | null
}

export const GAP_PX = 8
const ASPECT = 16 / 9
/** Of a tile, on both sides together. */
const FRAME_PX = 4
/** The line under each picture; a narrow tile has two. */
const STRIP_PX = { wide: 30, narrow: 52 }
/** As the tile's own style has it, with its frame. */
const NARROW_TO_PX = 304
/** Narrower screens scroll: a phone in the hand. */
const FITTED_FROM_PX = 640
/** Smaller tiles than this are not squeezed in; the wall scrolls instead. */
const LEAST_TILE_PX = 180
const SCROLLED_TILE_PX = 300
/** Up to so many stand one below the other on a phone. */
const PHONE_SINGLE = 4

/** The columns that make the pictures largest. */
export function layoutOf(count: number, { widthPx, heightPx }: Size): Layout {
  if (widthPx > 0 && widthPx < FITTED_FROM_PX) {
    return { columns: count > PHONE_SINGLE ? 2 : 1, tilePx: null }
  }
  let best = { columns: 1, tilePx: 0 }
  for (let columns = 1; columns <= count; columns += 1) {
    const tilePx = tileWidth(columns, count, { widthPx, heightPx })
    if (tilePx > best.tilePx) best = { columns, tilePx }
  }
  if (best.tilePx >= LEAST_TILE_PX) return best
  return { columns: Math.max(2, Math.floor(widthPx / SCROLLED_TILE_PX)), tilePx: null }
}

/** So wide that picture and line fit into the row, and nothing stands beside the picture. */
function tileWidth(columns: number, count: number, { widthPx, heightPx }: Size): number {
  const rows = Math.ceil(count / columns)
  const width = (widthPx - GAP_PX * (columns - 1)) / columns
  const height = (heightPx - GAP_PX * (rows - 1)) / rows - FRAME_PX
  const withStrip = (stripPx: number) =>
    Math.floor(Math.min(width, (height - stripPx) * ASPECT + FRAME_PX))
  const widePx = withStrip(STRIP_PX.wide)
  return widePx > NARROW_TO_PX ? widePx : withStrip(STRIP_PX.narrow)
}
