/** The console's own hls.js on a page of its own, without the console around it. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { build } from 'esbuild'
import { type Piece, serveLive } from './live-pieces.steps.ts'

const PAGE = '<!doctype html><title>Player</title><video muted></video>'

async function engineScript(): Promise<string> {
  const bundle = await build({
    entryPoints: [join(repositoryRoot(), 'packages/console/src/channels/player/hls.client.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'player',
  })
  return bundle.outputFiles[0]?.text ?? ''
}

/** Serves the pieces as a live stream, and opens a page that knows `player`: hls.client.ts. */
export async function openBarePlayer(page: Page, pieces: readonly Piece[]) {
  const live = await serveLive(pieces, PAGE)
  await page.goto(live.url)
  await page.addScriptTag({ content: await engineScript() })
  return live
}
