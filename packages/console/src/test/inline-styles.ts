/**
 * Whether an element is shown, without the cascade. A query by role asks that of every element on
 * the page, and happy-dom reads all style sheets for the element and its ancestors to answer. The
 * sheets of our components are not loaded in tests, so the style attribute and the kind of element
 * give the same answer. The cascade was a fifth of the time of the rendered tests.
 */
const INHERITED = new Map([
  ['visibility', 'visibility'],
  ['pointerEvents', 'pointer-events'],
  ['pointer-events', 'pointer-events'],
])

/** Call once per window, before the first query. */
export function readStylesInline(): void {
  const cascade = window.getComputedStyle.bind(window)
  const known = new WeakMap<Element, CSSStyleDeclaration>()
  const defaults = makeDefaults(cascade)

  /** Undefined for what only the cascade knows. */
  function read(element: Element, name: string | symbol): string | undefined {
    if (typeof name === 'symbol' || !element.isConnected) return undefined
    if (name === 'display') return inline(element, name) ?? defaults.displayOf(element)
    // For each media query in em.
    if (name === 'fontSize' && element === document.documentElement) return '16px'
    const property = INHERITED.get(name)
    if (property === undefined) return undefined
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const value = inline(at, property)
      if (value !== null) return value
    }
    return ''
  }

  function wrap(element: Element): CSSStyleDeclaration {
    const whole = cascade(element)
    const getPropertyValue = (name: string) => read(element, name) ?? whole.getPropertyValue(name)
    // Not a proxy of `whole`: for that each answer is compared with what the cascade gives.
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, name) {
        if (name === 'getPropertyValue') return getPropertyValue
        return read(element, name) ?? (Reflect.get(whole, name, whole) as unknown)
      },
    })
  }

  window.getComputedStyle = (element) => {
    const style = known.get(element) ?? wrap(element)
    known.set(element, style)
    return style
  }
}

/** Null where the style attribute does not name it. */
function inline(element: Element, property: string): string | null {
  const text = element.getAttribute('style')
  if (text === null || !text.includes(property)) return null
  for (const declaration of text.split(';').toReversed()) {
    const [name, value] = declaration.split(':')
    if (name?.trim() === property && value !== undefined) return value.trim()
  }
  return null
}

/** How an element of that kind is displayed in a document without style sheets. */
function makeDefaults(cascade: typeof window.getComputedStyle) {
  const bare = document.implementation.createHTMLDocument('')
  const known = new Map<string, string>()
  return {
    displayOf(element: Element): string {
      const { namespaceURI, localName } = element
      const isOpen = element.hasAttribute('open')
      const kind = `${namespaceURI} ${localName} ${isOpen}`
      const found = known.get(kind)
      if (found !== undefined) return found
      const example = bare.body.appendChild(bare.createElementNS(namespaceURI, localName))
      example.toggleAttribute('open', isOpen)
      const { display } = cascade(example)
      known.set(kind, display)
      return display
    },
  }
}
