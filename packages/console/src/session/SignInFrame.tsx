/** The room around sign-in: the map of lines, the card, and at the foot whether the API answers. */
import { useQuery } from '@tanstack/react-query'
import { LANGUAGES } from '@trunkline/contract/session/language.rules'
import { useEffect, type ReactNode } from 'react'
import { useBrowserNow } from '../lib/clock.ts'
import { keepLanguage, LANGUAGE, LANGUAGE_NAMES } from '../lib/locale/language.ts'
import { PageClock } from '../shared/page/PageClock.tsx'
import { Mark } from '../ui/symbol/Mark.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { LineMap } from './LineMap.tsx'
import { healthQuery } from './session.queries.ts'
import classes from './SignInFrame.module.css'

interface SignInFrameProps {
  title: string
  lead: string
  children: ReactNode
}

export function SignInFrame({ title, lead, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={classes.page}>
      <LineMap />
      <main className={classes.middle}>
        <div className={classes.card}>
          <Mark size={36} />
          <h1>{title}</h1>
          <p>{lead}</p>
          {children}
        </div>
      </main>
      <footer className={classes.foot}>
        <Reachability />
        <span className={classes.help}>Lost access? Ask an admin of your group.</span>
        <OtherLanguages />
        <PageClock />
      </footer>
    </div>
  )
}

function OtherLanguages() {
  return LANGUAGES.filter((language) => language !== LANGUAGE).map((language) => (
    <button
      key={language}
      type="button"
      lang={language}
      className={classes.language}
      onClick={() => {
        keepLanguage(language)
        location.reload()
      }}
    >
      {LANGUAGE_NAMES[language]}
    </button>
  ))
}

/** 'Console server reachable, checked 2 s ago', by asking it. */
function Reachability() {
  const { isSuccess, isError, dataUpdatedAt, errorUpdatedAt } = useQuery(healthQuery())
  const nowMs = useBrowserNow()
  const agoSeconds = Math.max(
    0,
    Math.floor((nowMs - Math.max(dataUpdatedAt, errorUpdatedAt)) / 1000),
  )
  if (isError) {
    return (
      <span className={classes.mark} role="status">
        <Shape shape="octagon" family="bad" size={14} />
        Console server not reachable
      </span>
    )
  }
  if (!isSuccess) {
    return (
      <span className={classes.mark}>
        <Shape shape="arc" family="move" size={12} />
        Checking the console server
      </span>
    )
  }
  return (
    <span className={classes.mark}>
      <Shape shape="disc" family="ok" size={12} />
      Console server reachable, checked {agoSeconds} s ago
    </span>
  )
}
