/** The player is the heaviest part of the console: fetched before it is needed. */
import { later } from '../../lib/later.ts'

export const PLAYER = later('player', async () => (await import('./Player.tsx')).Player)

/** What a player plays with, for pictures without our own buttons. */
export const HLS = later('hls', async () => import('./hls.client.ts'))
