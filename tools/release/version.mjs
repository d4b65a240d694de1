/** What a release changes in the project's files. Pure. */

/** A release by Semantic Versioning, without suffixes. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/
const UNRELEASED = '## Unreleased\n'

/**
 * @param {string} before
 * @param {string} next
 * @throws an Error with a sentence when `next` is no version, or not a later one
 */
export function assertLater(before, next) {
  const [was, is] = [before, next].map((version) => VERSION.exec(version)?.slice(1).map(Number))
  if (is === undefined) {
    throw new Error(`'${next}' is no version. Name one such as ${before}: npm run release -- 1.2.3`)
  }
  if (was === undefined)
    throw new Error(`package.json has no version that can be raised: ${before}.`)
  const at = is.findIndex((part, index) => part !== was[index])
  if (at === -1 || (is[at] ?? 0) < (was[at] ?? 0)) {
    throw new Error(`${next} is not later than ${before}, the version that is there.`)
  }
}

/**
 * The version of the project and of its own packages, which depend on each other by it; all else
 * stays.
 * @param {string} text a package.json, or package-lock.json
 * @param {string} before
 * @param {string} next
 */
export function withVersion(text, before, next) {
  return text
    .replaceAll(new RegExp(`("@trunkline/[a-z]+": )"${escape(before)}"`, 'g'), `$1"${next}"`)
    .replaceAll(
      new RegExp(
        `("name": "(?:trunkline|@trunkline/[a-z]+)",\\s+"version": )"${escape(before)}"`,
        'g',
      ),
      `$1"${next}"`,
    )
}

/**
 * @param {string} text packages/contract/src/product.ts
 * @param {string} before
 * @param {string} next
 */
export function withProductVersion(text, before, next) {
  return text.replace(`PRODUCT_VERSION = '${before}'`, `PRODUCT_VERSION = '${next}'`)
}

/**
 * What was unreleased gets the version and the day as its heading.
 * @param {string} text CHANGELOG.md
 * @param {string} version
 * @param {string} day as 2026-05-03
 * @throws an Error with a sentence when there is nothing to release
 */
export function withRelease(text, version, day) {
  const [head = '', rest = ''] = text.split(UNRELEASED)
  const [entries = ''] = rest.split(/^## /m)
  if (entries.trim() === '') {
    throw new Error('CHANGELOG.md has nothing under "## Unreleased". Say there what changed.')
  }
  return `${head}${UNRELEASED}\n## ${version} - ${day}\n${rest}`
}

/** @param {string} version */
function escape(version) {
  return version.replaceAll('.', '\\.')
}
