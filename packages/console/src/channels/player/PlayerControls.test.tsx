import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { LivePlayer } from './player.ts'
import { PlayerControls } from './PlayerControls.tsx'

afterEach(() => {
  cleanup()
  Reflect.deleteProperty(document, 'fullscreenElement')
  Reflect.deleteProperty(document, 'exitFullscreen')
})

test('full screen is the player’s own, also over a wall that fills the screen', async () => {
  const box = document.createElement('div')
  const video = document.createElement('video')
  box.append(video)
  let filling: Element = document.documentElement
  const asked: (Element | null)[] = []
  // The test's browser fills no screen, and plays nothing.
  Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => filling })
  Object.assign(document, { exitFullscreen: async () => void asked.push(null) })
  Object.assign(box, { requestFullscreen: async () => void asked.push(box) })
  Object.assign(video, {
    play: async () => undefined,
    getVideoPlaybackQuality: () => ({ totalVideoFrames: 0 }),
  })
  using player = new LivePlayer({
    video,
    sources: ['/index.m3u8'],
    isAlive: true,
    createEngine: () => ({
      attach: () => undefined,
      secondsBehind: () => null,
      goToLive: () => undefined,
      destroy: () => undefined,
    }),
    nowMs: () => Date.now(),
    isHidden: () => false,
  })
  render(<PlayerControls player={player} view={player.view()} video={{ current: video }} />)
  const full = screen.getByRole('button', { name: 'Full screen' })
  const user = userEvent.setup()
  await user.click(full)
  expect(asked).toEqual([box])
  filling = box
  await user.click(full)
  expect(asked).toEqual([box, null])
})
