// Runs before the first paint and before the console itself.
;(() => {
  // So that a light screen does not flash dark. Same key as lib/storage.ts.
  let chosen = null
  try {
    chosen = localStorage.getItem('color-scheme')
  } catch {
    // Storage may be blocked; the system's choice is then as good as any.
  }
  const isLight =
    chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isLight ? 'light' : 'dark')

  // The newest things that the console uses came with Chrome and Edge 119, Firefox 124 and Safari 17.4.
  const isNewEnough =
    'withResolvers' in Promise &&
    'groupBy' in Map &&
    'any' in AbortSignal &&
    CSS.supports('selector(:has(a))')
  if (!isNewEnough) return document.documentElement.setAttribute('data-too-old', '')

  // An API that restarts while the page loads sends some of its files and not others, and a browser
  // asks for none of them again. Nor may it be asked for the page itself before it answers: the
  // browser's own page of errors would stay.
  const AGAIN_AFTER_MS = 5000
  const again = async () => {
    try {
      const answer = await fetch(location.href, { cache: 'no-store' })
      if (answer.ok) return location.reload()
    } catch {
      // Not there yet.
    }
    setTimeout(() => void again(), AGAIN_AFTER_MS)
  }
  // The style of the page does the same after 5 s, but not where animations are switched off.
  const sayLate = () => document.documentElement.setAttribute('data-late', '')
  setTimeout(sayLate, AGAIN_AFTER_MS)
  let isAsking = false
  const onMissingFile = ({ target }) => {
    // The console asks for its later parts itself: lib/part-files.ts. The others the page names.
    const isOfPage =
      target instanceof Element &&
      target.matches('script, link[rel=modulepreload], link[rel=stylesheet]:not([data-part])')
    if (!isOfPage || isAsking) return
    isAsking = true
    sayLate()
    setTimeout(() => void again(), AGAIN_AFTER_MS)
  }
  addEventListener('error', onMissingFile, true)
})()
