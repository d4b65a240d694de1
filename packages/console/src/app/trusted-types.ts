/**
 * Where the browser has Trusted Types, text becomes markup or a script's address only through here;
 * the page's policy forbids every other way. Imported before anything draws.
 */

interface PolicyRules {
  createHTML: (text: string) => string
  createScriptURL: (address: string) => string
}
interface TrustedTypes {
  createPolicy: (name: 'default', rules: PolicyRules) => unknown
}

/** Style elements of our libraries are filled this way; without a tag there is no element in it. */
export function plainText(text: string): string {
  if (text.includes('<')) throw new TypeError('Markup from text is not allowed on this page.')
  return text
}

/** Workers: our own files, and what the player's engine makes of itself. */
export function ownScript(address: string, page: URL): string {
  const { protocol, origin } = new URL(address, page)
  if (origin === page.origin && (protocol === page.protocol || protocol === 'blob:')) return address
  throw new TypeError('Scripts from elsewhere are not allowed on this page.')
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: plainText,
  createScriptURL: (address) => ownScript(address, new URL(location.href)),
})
