/** The licences of what a package ships: of each npm package in its bundles, and of Node. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./shipped.mjs').ShippedPackage} ShippedPackage */

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.|-|$)/i
const RULE = `\n${'-'.repeat(78)}\n`

/**
 * One text with all of them.
 * @param {string} root the project's folder
 * @param {readonly ShippedPackage[]} shipped
 * @throws an Error with a sentence for a package that says nothing of its licence
 */
export function licencesText(root, shipped) {
  const parts = shipped.map((each) =>
    [`${each.name} ${each.version}`, ...licenceLines(root, each)].join('\n').trimEnd(),
  )
  return `Trunkline contains the following software.\n${RULE}${parts.join(`\n${RULE}`)}\n`
}

/**
 * @param {string} root
 * @param {ShippedPackage} shipped
 * @returns {string[]}
 */
function licenceLines(root, { name, version, license, folder }) {
  const files = readdirSync(join(root, folder)).filter((file) => LICENCE_FILE.test(file))
  const text = files.map((file) => readFileSync(join(root, folder, file), 'utf8')).join('\n')
  if (license === null && text === '') {
    throw new Error(
      `The npm package ${name} ${version} does not say under which licence it is. It cannot be shipped: find out, or use another.`,
    )
  }
  return [`Licence: ${license ?? 'as below'}`, '', text.trim()]
}
