/**
 * Makes a fresh machine ready. Both `npm start` and `npm test` begin here: it looks first, installs
 * only what is missing, and tells what it does and why. It has no dependencies and runs on Node 20,
 * because before it has run there is nothing else. By hand: `node tools/setup.mjs run` (or `test`).
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { runQuietly, say } from './say.mjs'
import { look, missingPackages, productNode, stampNpm } from './setup/look.mjs'
import { PRODUCT_NODE_MAJOR } from '../packages/contract/bin/product-node.mjs'
import { majorOf, planSetup } from './setup/plan.mjs'

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param {import('./setup/packages.mjs').Need} need
 * @returns {Promise<string>} path of the Node that runs the product
 * @throws an Error whose message is a sentence for the person at the terminal
 */
export async function setup(need) {
  const plan = planSetup(look(need, root))
  if ('refusal' in plan) throw new Error(plan.refusal)
  for (const [index, step] of plan.steps.entries()) {
    const count = `(${index + 1} of ${plan.steps.length})`
    if (step.kind === 'npm') await installNpmPackages(step.why, count)
    else await installDebianPackages(step, need, count)
  }
  const node = productNode(root)
  if (plan.steps.length > 0) proveNode(node)
  return node
}

/**
 * @param {string} why
 * @param {string} count
 */
async function installNpmPackages(why, count) {
  say(`Installing npm packages ${count}: ${why}; this takes about a minute`)
  // `ci` takes the very versions of the lock. What npm's own settings may leave out is named.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  // The folder that is being replaced must not be the one that npm's own node is taken from.
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.endsWith('node_modules/.bin'))
    .join(':')
  await runQuietly('npm', [...args, '--loglevel=error'], {
    cwd: root,
    env: { ...process.env, PATH: path },
    label: 'npm ci',
  })
  stampNpm(root)
}

/**
 * @param {{ packages: string[], rights: 'root' | 'sudo', note: string }} step
 * @param {import('./setup/packages.mjs').Need} need
 * @param {string} count
 */
async function installDebianPackages({ packages, rights, note }, need, count) {
  say(`Installing Debian packages ${packages.join(' ')} ${count}${note}`)
  const script = [join(root, 'tools/setup/install-debian.sh'), ...packages]
  const [command, args] = rights === 'root' ? ['sh', script] : ['sudo', ['-n', 'sh', ...script]]
  await runQuietly(command, args, { cwd: root, label: 'apt-get' })
  const still = missingPackages(need)
  if (still.length > 0) {
    throw new Error(
      `apt-get installed ${packages.join(', ')}, yet this is still missing: ${still.join(', ')}. Look at what "apt-get install ${still.join(' ')}" says.`,
    )
  }
}

/**
 * A Node that npm unpacked but that this machine cannot run is reported now, not by a crash later.
 * @param {string} node
 */
function proveNode(node) {
  const asked = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (majorOf(asked.stdout?.replace('v', '')) >= PRODUCT_NODE_MAJOR) return
  const seen = asked.error?.message ?? asked.stdout.trim()
  throw new Error(
    `Trunkline runs on Node ${PRODUCT_NODE_MAJOR} or newer, but ${node} answered: ${seen}. Remove node_modules and run the command again.`,
  )
}

/**
 * Ends a tool with the sentence of an error, without a stack: it is for the person at the terminal.
 * @param {unknown} error
 * @returns {never}
 */
export function giveUp(error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const need = process.argv[2] === 'test' ? 'test' : 'run'
  const node = await setup(need).catch(giveUp)
  say(
    `Everything that is needed to ${need === 'test' ? 'test' : 'run'} Trunkline is here (${node}).`,
  )
}
