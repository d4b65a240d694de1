/**
 * The parts list (SBOM) of a Debian package, in the format CycloneDX 1.6: which software of others it
 * holds, with versions, licences and hashes, so that a scanner can tell whose faults it has. The same
 * commit gives the same bytes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library'
import { NODE_NAME } from './shipped.mjs'

/**
 * @typedef {import('./shipped.mjs').ShippedPackage} ShippedPackage
 * @typedef {object} Product
 * @property {string} name of the Debian package
 * @property {string} version
 * @property {number} epochS seconds since 1970, of the commit
 */

/** Of an OR, an AND or a WITH, which SPDX writes between names of licences. */
const EXPRESSION = /[()]|\s/

/**
 * @param {string} root the project's folder
 * @param {Product} product
 * @param {readonly ShippedPackage[]} shipped
 * @throws an Error with a sentence for a part whose hash package-lock.json does not have
 */
export function sbomText(root, { name, version, epochS }, shipped) {
  const integrityOf = lockedIntegrity(root)
  const purl = `pkg:deb/trunkline/${name}@${version}?arch=amd64`
  const product = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: purl,
    purl,
  })
  product.licenses.add(licenceOf('Apache-2.0'))
  const parts = new Map(shipped.map((each) => [each.folder, partOf(each, integrityOf(each))]))
  for (const { folder, needs } of shipped) {
    for (const needed of needs) {
      const part = parts.get(needed)
      if (part !== undefined) parts.get(folder)?.dependencies.add(part.bomRef)
    }
  }
  for (const part of parts.values()) product.dependencies.add(part.bomRef)
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: product, timestamp: new Date(epochS * 1000) }),
    components: new Models.ComponentRepository(parts.values()),
  })
  const normalizers = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  const serializer = new Serialize.JsonSerializer(normalizers)
  return `${serializer.serialize(bom, { sortLists: true, space: 1 })}\n`
}

/**
 * @param {ShippedPackage} shipped
 * @param {string} integrity as package-lock.json has it, such as 'sha512-…'
 */
function partOf({ name, version, license }, integrity) {
  const isNode = name === NODE_NAME
  const purl = isNode
    ? `pkg:generic/node@${version}`
    : `pkg:npm/${name.replace('@', '%40')}@${version}`
  const type = isNode ? Enums.ComponentType.Platform : Enums.ComponentType.Library
  const part = new Models.Component(type, name, { version, bomRef: purl, purl })
  // By which scanners know the faults of Node.
  if (isNode) part.cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`
  if (license !== null) part.licenses.add(licenceOf(license))
  const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  part.hashes.set(Enums.HashAlgorithm['SHA-512'], sha512)
  return part
}

/** @param {string} license as a manifest says it */
function licenceOf(license) {
  if (SPDX.isSupportedSpdxId(license)) return new Models.SpdxLicense(license)
  if (EXPRESSION.test(license)) return new Models.LicenseExpression(license)
  return new Models.NamedLicense(license)
}

/**
 * Of the archives that `npm ci` compared with it.
 * @param {string} root
 * @returns {(shipped: ShippedPackage) => string}
 */
function lockedIntegrity(root) {
  /** @type {unknown} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { packages } = /** @type {{ packages: Record<string, { integrity?: string }> }} */ (lock)
  return ({ name, version, folder }) => {
    const integrity = packages[folder]?.integrity
    if (integrity?.startsWith('sha512-') === true) return integrity
    throw new Error(
      `package-lock.json has no SHA-512 of the npm package ${name} ${version}. Run npm install with an npm that writes it.`,
    )
  }
}
