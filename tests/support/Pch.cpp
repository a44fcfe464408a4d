// Anchors the precompiled header; see Pch.h.
