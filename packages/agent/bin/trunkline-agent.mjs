#!/usr/bin/env node
/**
 * `trunkline-agent <configuration.json>` runs the host agent, `trunkline-agent enrol …` enrols a seat,
 * `trunkline-agent doctor` says what is missing or wrong on the host. This file runs on Node 20.
 */
import { existsSync } from 'node:fs'
import { isProductNode } from '../../contract/bin/product-node.mjs'

if (isProductNode(import.meta.url)) {
  const built = new URL('../dist/main.js', import.meta.url)
  await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href)
}
