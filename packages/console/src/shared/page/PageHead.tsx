/** Title of a page and its tools, and under it, when updates have stopped, the band that says so. */
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { useEffect, type ReactNode } from 'react'
import { setPageTitle } from '../../lib/page-title.ts'
import { LiveMark } from './LiveMark.tsx'
import classes from './PageHead.module.css'
import { StaleBand } from './StaleBand.tsx'
import { PageClock } from './PageClock.tsx'

interface PageHeadProps {
  title: string
  /** Before the title: the way back. */
  lead?: ReactNode
  /** Right beside the title: views of the page. */
  views?: ReactNode
  /** At the right end: search, filters, refresh. */
  tools?: ReactNode
  /** Stays in sight while the page scrolls: a form is saved from it. */
  isSticky?: boolean
}

export function PageHead({ title, lead, views, tools, isSticky = false }: PageHeadProps) {
  useEffect(() => {
    setPageTitle(title.includes(PRODUCT_NAME) ? title : `${title} · ${PRODUCT_NAME}`)
  }, [title])
  return (
    <>
      <div className={classes.head} data-sticky={isSticky || undefined}>
        {lead}
        <h1>{title}</h1>
        <span className={classes.phone}>
          <LiveMark />
          <PageClock />
        </span>
        {views !== undefined && <div className={classes.views}>{views}</div>}
        {tools !== undefined && <div className={classes.tools}>{tools}</div>}
      </div>
      <StaleBand />
    </>
  )
}
