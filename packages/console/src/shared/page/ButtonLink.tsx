import type { ComponentProps } from 'react'
import { createLink } from '@tanstack/react-router'
import classes from './ButtonLink.module.css'

/** What leaves the console, such as a file, among the buttons of a page's head. */
export function ButtonAnchor({ children, ...props }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...props} className={classes.link}>
      {children}
    </a>
  )
}

/** To a page, among the buttons of another page's head. */
export const ButtonLink = createLink(ButtonAnchor)
