#!/usr/bin/env node
/**
 * `trunkline-agent <configuration.json>` runs the host agent, `trunkline-agent enrol …` enrols a seat,
 * `trunkline-agent doctor` says what is missing or wrong on the host.
 * npx finds the Node that npm brought; called in another way this may be an older one: then that Node
 * is asked. This file runs on Node 20.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24

const own = fileURLToPath(import.meta.url)
const pinnedNode = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  const built = new URL('../dist/main.js', import.meta.url)
  await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href)
} else if (existsSync(pinnedNode) && realpathSync(pinnedNode) !== process.execPath) {
  const args = [own, ...process.argv.slice(2)]
  const { status } = spawnSync(pinnedNode, args, { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  process.stderr.write(
    `Trunkline runs on Node ${NODE_MAJOR} or newer, and this is ${process.versions.node}. Run "npm ci" in the project folder, which brings the right one.\n`,
  )
  process.exitCode = 1
}
