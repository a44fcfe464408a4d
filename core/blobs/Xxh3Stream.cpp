// The algorithm is specified in https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
#include "core/blobs/Xxh3Stream.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstring>

using llvm::support::endian::read64le;

namespace fuselage {
namespace {

constexpr uint32_t kPrime32[] = {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D};
constexpr uint64_t kPrime64[] = {0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                                 0x27D4EB2F165667C5};

/// The specification's default secret.
constexpr uint8_t kSecret[] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4,
    0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43,
    0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19,
    0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78,
    0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16,
    0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

/// How far the secret moves from stripe to stripe; where in it the last stripe and the end start.
constexpr size_t kStep = 8, kLastStripe = 7, kMerge = 11;

uint64_t foldedProduct(uint64_t a, uint64_t b) {
  __uint128_t product = static_cast<__uint128_t>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

} // namespace

Xxh3Stream::Xxh3Stream()
    : sums_{kPrime32[2], kPrime64[0], kPrime64[1], kPrime64[2], kPrime64[3], kPrime32[1], kPrime64[4], kPrime32[0]} {}

void Xxh3Stream::accumulate(Accumulators &sums, const uint8_t *stripe, const uint8_t *secret) {
  for (size_t i = 0; i < sums.size(); ++i) {
    uint64_t value = read64le(stripe + 8 * i), key = value ^ read64le(secret + 8 * i);
    sums[i ^ 1] += value;
    sums[i] += (key & 0xffffffff) * (key >> 32);
  }
}

void Xxh3Stream::consumeBlock() {
  const uint8_t *block = buffer_.data() + kStripe;
  for (size_t stripe = 0; stripe < kBlock / kStripe; ++stripe)
    accumulate(sums_, block + stripe * kStripe, kSecret + stripe * kStep);
  const uint8_t *secret = std::end(kSecret) - kStripe;
  for (size_t i = 0; i < sums_.size(); ++i)
    sums_[i] = ((sums_[i] ^ (sums_[i] >> 47)) ^ read64le(secret + 8 * i)) * kPrime32[0];
  std::copy_n(block + kBlock - kStripe, kStripe, buffer_.begin());
  pending_ = 0;
}

void Xxh3Stream::update(llvm::ArrayRef<char> bytes) {
  length_ += bytes.size();
  while (!bytes.empty()) {
    // A block is consumed once something follows it: the last one is scrambled differently.
    if (pending_ == kBlock)
      consumeBlock();
    size_t taken = std::min(bytes.size(), kBlock - pending_);
    std::memcpy(buffer_.data() + kStripe + pending_, bytes.data(), taken);
    pending_ += taken;
    bytes = bytes.drop_front(taken);
  }
}

uint64_t Xxh3Stream::digest() const {
  const uint8_t *rest = buffer_.data() + kStripe;
  if (length_ <= kBlock)
    return llvm::xxh3_64bits(llvm::ArrayRef(rest, pending_));
  Accumulators sums = sums_;
  for (size_t stripe = 0; stripe < (pending_ - 1) / kStripe; ++stripe)
    accumulate(sums, rest + stripe * kStripe, kSecret + stripe * kStep);
  accumulate(sums, rest + pending_ - kStripe, std::end(kSecret) - kStripe - kLastStripe);
  uint64_t hash = length_ * kPrime64[0];
  for (size_t i = 0; i < sums.size(); i += 2)
    hash += foldedProduct(sums[i] ^ read64le(kSecret + kMerge + 8 * i),
                          sums[i + 1] ^ read64le(kSecret + kMerge + 8 * i + 8));
  hash = (hash ^ (hash >> 37)) * 0x165667919E3779F9;
  return hash ^ (hash >> 32);
}

} // namespace fuselage
