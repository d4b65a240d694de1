/** First on every page: past the tabs to its content, or past its search and filters to its list. */
import type { MouseEvent } from 'react'
import classes from './SkipLinks.module.css'

const CONTENT = '#main'
/** A table or the cards of encoders: a landmark that takes the focus. */
const LIST = '#main [data-list]'

export function SkipLinks() {
  return (
    <>
      <a className={classes.skip} href={CONTENT}>
        Skip to content
      </a>
      <a className={classes.skip} href={CONTENT} onClick={focusList}>
        Skip to list
      </a>
    </>
  )
}

/** On a page without a list it is a link to the content. */
function focusList(event: MouseEvent): void {
  const list = document.querySelector<HTMLElement>(LIST)
  if (list === null) return
  event.preventDefault()
  list.focus()
}
